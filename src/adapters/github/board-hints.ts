import type { RepoConfig } from "../../config/schema.ts";
import { quote } from "../../shared/quote.ts";
import { columnsOf } from "./board-pages.ts";
import type { BoardPages } from "./board-pages.ts";

/** More drafts than this are counted, not named. */
const MOST_NAMED = 5;

/** What a person has to put right on the project. Columns are theirs: the app never adds or renames one. */
export function hintsOf(pages: BoardPages, board: RepoConfig["board"]): readonly string[] {
  return [...columnHints(pages, board), ...draftHints(pages, board)];
}

function columnHints({ options }: BoardPages, board: RepoConfig["board"]): readonly string[] {
  const known = [...options.keys()].map(quote).join(", ");
  return columnsOf(board)
    .filter(([, column]) => !options.has(column))
    .map(
      ([role, column]) =>
        `project ${board.project} has no column ${quote(column)}: add it, or set board.columns.${role} to one of ${known}`,
    );
}

function draftHints({ items }: BoardPages, board: RepoConfig["board"]): readonly string[] {
  const drafts = items.filter(
    ({ content, isArchived, status }) =>
      content?.__typename === "DraftIssue" && !isArchived && status?.name === board.columns.ready,
  );
  if (drafts.length === 0) return [];
  const titles = drafts.slice(0, MOST_NAMED).map(({ content }) => quote(content?.title ?? ""));
  const more = drafts.length > MOST_NAMED ? ` and ${drafts.length - MOST_NAMED} more` : "";
  return [
    `${titles.join(", ")}${more} in ${quote(board.columns.ready)}: a draft belongs to no repository; convert it to an issue`,
  ];
}
