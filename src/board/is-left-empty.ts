const EMPTY_ANSWERS = [
  "",
  "_no response_",
  "no response",
  "none",
  "_none_",
  "nothing",
  "n/a",
  "-",
  "—",
];

/** What GitHub writes for a field of a form that was left empty, and what people write; an empty code fence is one too. */
export function isLeftEmpty(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.length < 20 && EMPTY_ANSWERS.includes(trimmed.toLowerCase());
}
