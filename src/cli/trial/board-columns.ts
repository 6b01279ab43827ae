/** These are the columns of a board that the app can work with as it is. */
export const BOARD_COLUMNS = [
  "Backlog",
  "Ready",
  "In progress",
  "In review",
  "Queued",
  "Blocked",
  "Done",
];
