export type AnswerHeaders = Readonly<Record<string, string | number | undefined>>;

/** What GitHub advises for a limit that names no time. */
const UNNAMED_PAUSE_MS = 60_000;

export interface AskedPause {
  readonly ms: number;
  /** A used up hour is that of one interface; anything else means the whole installation. */
  readonly of: "all" | "this-api";
}

/** How long an answer asks to be left alone: by GitHub's own clock, so that ours need not be right. */
export function askedPause(headers: AnswerHeaders, limited: boolean): AskedPause | undefined {
  const seconds = Number(headers["retry-after"]);
  if (seconds > 0) return { ms: seconds * 1000, of: "all" };
  const untilResetMs =
    Number(headers["x-ratelimit-reset"]) * 1000 - Date.parse(String(headers["date"]));
  const usedUp = String(headers["x-ratelimit-remaining"]) === "0";
  if (usedUp && untilResetMs > 0) return { ms: untilResetMs, of: "this-api" };
  return limited ? { ms: UNNAMED_PAUSE_MS, of: "all" } : undefined;
}
