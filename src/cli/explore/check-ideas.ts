import { exploreField } from "../../board/issue/explore-keys.ts";
import { claimRules } from "../../domain/claim/claim-rules.ts";
import { parseClaim } from "../../domain/claim/parse-claim.ts";
import { isSharedPath } from "../../domain/claim/scope.ts";
import { MAX_IDEAS } from "../../domain/exploration.ts";
import type { IdeaSource } from "../../domain/exploration.ts";
import { cleanText } from "../../shared/clean-text.ts";
import { quote } from "../../shared/quote.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { wholeNumber } from "../trial/check-options.ts";
import type { RawExploreOptions } from "./explore-options.ts";
import type { Head } from "./read-head.ts";

/** An issue names an idea by its first words, as many as this. */
const MAX_NAME_LENGTH = 80;

export interface CheckedIdeas {
  readonly ideas: IdeaSource;
  readonly ideaCount: number;
}

const WAYS = "--ideas PATTERN (files), --idea TEXT or --ask N";

/** Says what is wrong with how ideas are named. */
export function sourceProblem({ ideas, idea, ask }: RawExploreOptions): string | undefined {
  const given = [ideas, idea, ask].filter((one) => one !== undefined).length;
  if (given === 0) return `there are no ideas to try: ${WAYS}`;
  return given === 1 ? undefined : `ideas come from one place: ${WAYS}`;
}

/** Finds what is to be tried in what was committed. */
export function checkIdeas(
  { ideas, idea, ask }: RawExploreOptions,
  head: Head,
): Result<CheckedIdeas, string> {
  if (ideas !== undefined) return ideasInFiles(ideas, head);
  return idea === undefined ? ideasToAsk(ask ?? "") : ideasTyped(idea);
}

function ideasToAsk(ask: string): Result<CheckedIdeas, string> {
  const count = wholeNumber(ask, { least: 1, most: MAX_IDEAS });
  if (count === undefined) return fail(`--ask takes a whole number from 1 to ${MAX_IDEAS}`);
  return ok({ ideas: { kind: "ask", count }, ideaCount: count });
}

function ideasTyped(typed: readonly string[]): Result<CheckedIdeas, string> {
  const texts = typed.map((text) => cleanText(text).trim());
  if (texts.includes("")) return fail("--idea is empty");
  if (texts.length > MAX_IDEAS) return fail(tooMany(texts.length, "--idea"));
  const ideas = texts.map((text) => ({ name: nameOf(text), text }));
  const names = ideas.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) return fail(`--idea: two ideas begin with ${quote(twice)}`);
  const key = names.find(isKey);
  if (key !== undefined)
    return fail(`--idea ${quote(key)}: a setting is read there; begin the idea with another word`);
  return ok({ ideas: { kind: "list", ideas }, ideaCount: ideas.length });
}

/** The section of an issue in which ideas are listed has keys, too. */
function isKey(text: string): boolean {
  return exploreField({ stretches: [{ code: false, text }] }) !== undefined;
}

function nameOf(text: string): string {
  const [line = ""] = text.split("\n", 1);
  const words = line.trim().split(/\s+/).join(" ");
  return Array.from(words).slice(0, MAX_NAME_LENGTH).join("").trimEnd();
}

function ideasInFiles(
  typed: readonly string[],
  { paths, branch }: Head,
): Result<CheckedIdeas, string> {
  const patterns = checkPatterns(typed, "--ideas");
  if (!patterns.ok) return patterns;
  const vain = vainPattern(patterns.value, paths);
  if (vain !== undefined)
    return fail(
      `--ideas ${vain}: no file of ${branch} matches; ideas are files that are committed there`,
    );
  const matches = matching(patterns.value);
  const ideaCount = paths.filter(matches).length;
  if (ideaCount > MAX_IDEAS) return fail(tooMany(ideaCount, "--ideas"));
  return ok({ ideas: { kind: "files", patterns: patterns.value }, ideaCount });
}

function tooMany(count: number, option: string): string {
  return `${option}: ${count.toLocaleString("en")} ideas, and the limit is ${MAX_IDEAS}`;
}

/** Reads patterns of files, as the app will. */
export function checkPatterns(
  typed: readonly string[],
  option: string,
): Result<readonly string[], string> {
  const patterns: string[] = [];
  for (const text of typed) {
    const claim = parseClaim(text);
    if (!claim.ok) return fail(`${option} ${text}: ${claim.error.reason}`);
    if (claim.value.mode !== "write")
      return fail(`${option} ${text}: expected a path or pattern without read: or !`);
    patterns.push(claim.value.pattern);
  }
  return ok([...new Set(patterns)]);
}

/** Finds a pattern that no path matches. */
export function vainPattern(
  patterns: readonly string[],
  paths: readonly string[],
): string | undefined {
  return patterns.find((pattern) => !paths.some(matching([pattern])));
}

function matching(patterns: readonly string[]): (path: string) => boolean {
  const rules = claimRules({ shared: patterns });
  return (path) => isSharedPath(path, rules);
}
