import type * as z from "zod";

const KINDS: Readonly<Record<string, string>> = {
  object: "a group of keys",
  record: "a group of keys",
  array: "a list",
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
};

/** Says in words what a value was expected to be. */
export function expectationOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") return `expected ${KINDS[issue.expected] ?? issue.expected}`;
  if (issue.code === "invalid_value") return `expected ${issue.values.map(String).join(" or ")}`;
  if (issue.code === "too_small") return tooSmall(issue);
  if (issue.code === "too_big") return `expected at most ${issue.maximum}`;
  if (issue.code === "invalid_key") return issue.issues[0]?.message ?? issue.message;
  return issue.message;
}

/** Says what is wrong with a key that the schema does not have. */
export function unknownKey(key: string, known: readonly string[]): string {
  const meant = didYouMean(key, known);
  if (meant !== undefined) return `unknown key; did you mean ${meant}?`;
  return known.length === 0 ? "unknown key" : `unknown key; expected one of ${known.join(", ")}`;
}

function tooSmall(issue: z.core.$ZodIssueTooSmall): string {
  if (issue.origin === "string") return "expected a text that is not empty";
  const least = Number(issue.minimum) + (issue.inclusive === false ? 1 : 0);
  return `expected at least ${least}`;
}

/** Finds the known word that a mistyped one was most likely meant to be; undefined when none is near. */
export function didYouMean(word: string, known: readonly string[]): string | undefined {
  if (word.length > 60) return undefined;
  const typed = word.toLowerCase();
  const near = known
    .map((candidate) => ({ candidate, distance: editDistance(typed, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= (candidate.length < 4 ? 1 : 2))
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.candidate;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1]);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
