/** Fences a text as code; the fence is longer than any run of backticks inside, so nothing can close it. */
export function codeFence(text: string, language = "text"): string {
  const mark = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${mark}${language}\n${text.trimEnd()}\n${mark}`;
}

/** Marks a text as code within a line; the marks are longer than any run of backticks inside. */
export function inBackticks(text: string): string {
  const mark = "`".repeat(longestRun(text) + 1);
  const pad = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${mark}${pad}${text}${pad}${mark}`;
}

/** Returns the length of the longest run of backticks. */
function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
