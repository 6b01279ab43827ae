/** By GitHub's formula a page of 100 cards costs this many points. */
export const POINTS_PER_PAGE = 4;

/** An index costs a point. This often a board that tells nothing by itself costs at most 33 points an hour. */
export const INDEX_EVERY_MS = 110_000;
const MINUTE_MS = 60_000;
/** An index shows nearly all that changes. The rest, such as a parent's labels, is found by a whole reading. */
const SHORTEST_WHOLE_MS = 15 * MINUTE_MS;
/** A whole reading may cost 20 points an hour, however large the board is. */
const WHOLE_MS_PER_POINT = 3 * MINUTE_MS;

export interface BoardAge {
  readonly now: number;
  /** All that happened before is known. */
  readonly begunAt: number;
  /** All cards were read then. */
  readonly wholeAt: number;
  readonly pages: number;
  /** Is true if GitHub is known to give the list of items no version, or not to us, so that every request for it counts. */
  readonly lacksVersion: boolean;
}

export type BoardLook =
  /** The known content is new enough. */
  | "keep"
  /** One request tells whether anything changed, and does not count if nothing did. */
  | "ask-version"
  /** One point tells which cards changed. */
  | "index"
  | "whole";

/** Decides how to find out whether a board changed that nobody has told about. */
export function decideLook(age: BoardAge): BoardLook {
  if (isWholeDue(age)) return "whole";
  if (age.pages <= 1 && !age.lacksVersion) return "ask-version";
  return isOver(INDEX_EVERY_MS, age.begunAt, age.now) ? "index" : "keep";
}

/** Decides how to read a board that is known to have changed: one page is read in one call, of more pages only what changed. */
export function decideBoardReading(age: BoardAge): "index" | "whole" {
  return age.pages <= 1 || isWholeDue(age) ? "whole" : "index";
}

export function wholeEveryMs(pages: number): number {
  return Math.max(SHORTEST_WHOLE_MS, pages * POINTS_PER_PAGE * WHOLE_MS_PER_POINT);
}

function isWholeDue({ now, wholeAt, pages }: BoardAge): boolean {
  return isOver(wholeEveryMs(pages), wholeAt, now);
}

/** A moment in the future dates from before the clock was set back. How long ago it was nobody knows. */
function isOver(ms: number, since: number, now: number): boolean {
  return now < since || now - since >= ms;
}
