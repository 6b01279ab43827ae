/** What an error says, on one line, with what it was caused by. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return `${error.message}${cause}`.trim().split("\n", 1)[0] ?? "";
}
