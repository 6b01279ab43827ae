import type * as z from "zod";
import { didYouMean } from "./did-you-mean.ts";

const KINDS: Readonly<Record<string, string>> = {
  object: "a group of keys",
  record: "a group of keys",
  array: "a list",
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
};

/** What a value was expected to be, in words. */
export function expectationOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") return `expected ${KINDS[issue.expected] ?? issue.expected}`;
  if (issue.code === "invalid_value") return `expected ${issue.values.map(String).join(" or ")}`;
  if (issue.code === "too_small") return tooSmall(issue);
  if (issue.code === "too_big") return `expected at most ${issue.maximum}`;
  if (issue.code === "invalid_key") return issue.issues[0]?.message ?? issue.message;
  return issue.message;
}

/** What to say about a key that the schema does not have. */
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
