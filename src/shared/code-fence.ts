/** Fences a text as code; the fence is longer than any run of backticks inside, so nothing can close it. */
export function codeFence(text: string, language = "text"): string {
  const mark = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${mark}${language}\n${text.trimEnd()}\n${mark}`;
}

/** The length of the longest run of backticks. */
export function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
