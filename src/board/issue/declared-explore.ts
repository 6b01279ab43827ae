import { MAX_BEAM, MAX_DEPTH, MAX_IDEAS } from "../../domain/exploration.ts";
import type { ExploreSpec } from "../../domain/exploration.ts";
import { textOf } from "../../shared/markdown/lines.ts";
import { quote } from "../../shared/quote.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import type { Declaration } from "./declarations.ts";
import { declaredIdeas } from "./declared-ideas.ts";
import { exploreOutline } from "./explore-outline.ts";
import type { ExploreEntry } from "./explore-outline.ts";
import { placeOf } from "./markdown-lines.ts";
import type { MarkdownLine } from "./markdown-lines.ts";

export interface DeclaredExplore {
  /** It is undefined where there is no section `Explore`, or one with a problem. */
  readonly explore: ExploreSpec | undefined;
  /** It says why the section cannot be used, quoting a line. */
  readonly problem: string | undefined;
}

type Member = Result<Partial<ExploreSpec>, string>;

const MAX_PATIENCE = 10;
const YES = ["", "yes", "true"];
const NO = ["no", "false"];

/** Returns what all sections `Explore` say together. */
export function declaredExplore(found: readonly Declaration[]): DeclaredExplore {
  const mine = found.filter(({ name }) => name === "explore");
  const [first] = mine;
  if (first === undefined) return { explore: undefined, problem: undefined };
  const outlines = mine.map(({ content }) => exploreOutline(content));
  const entries = outlines.flatMap((outline) => outline.entries);
  const problem =
    outlines.flatMap((outline) => outline.problem ?? [])[0] ??
    twiceProblem(entries) ??
    sourceProblem(entries, first.opening);
  if (problem !== undefined) return { explore: undefined, problem };
  return readEntries(entries);
}

function readEntries(entries: readonly ExploreEntry[]): DeclaredExplore {
  let all: Partial<ExploreSpec> = {};
  for (const entry of entries) {
    const said = readEntry(entry);
    if (!said.ok) return { explore: undefined, problem: said.error };
    all = { ...all, ...said.value };
  }
  const { ideas, ...rest } = all;
  return { explore: ideas === undefined ? undefined : { ideas, ...rest }, problem: undefined };
}

function readEntry(entry: ExploreEntry): Member {
  switch (entry.key) {
    case "ideas":
      return declaredIdeas(entry);
    case "ask":
      return numbered(entry, MAX_IDEAS, (count) => ({ ideas: { kind: "ask", count } }));
    case "depth":
      return numbered(entry, MAX_DEPTH, (depth) => ({ depth }));
    case "beam":
      return numbered(entry, MAX_BEAM, (beam) => ({ beam }));
    case "patience":
      return numbered(entry, MAX_PATIENCE, (patience) => ({ patience }));
    case "score":
      return readScore(entry);
    case "strict":
      return readStrict(entry);
  }
}

function numbered(
  entry: ExploreEntry,
  most: number,
  put: (number: number) => Partial<ExploreSpec>,
): Member {
  const text = plainValue(entry);
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= most) return ok(put(number));
  return fail(`${entry.key} has to be a whole number from 1 to ${most} ${placeOf(entry.line)}`);
}

/** Whether there is such a score is for the settings to say. */
function readScore(entry: ExploreEntry): Member {
  const score = plainValue(entry);
  return score === ""
    ? fail(`score has to be followed by a score's name ${placeOf(entry.line)}`)
    : ok({ score });
}

function readStrict(entry: ExploreEntry): Member {
  const text = plainValue(entry).toLowerCase();
  if (YES.includes(text)) return ok({ strict: true });
  if (NO.includes(text)) return ok({ strict: false });
  return fail(`strict has to be yes or no ${placeOf(entry.line)}`);
}

/** A value may as well stand between backticks. */
function plainValue({ value }: ExploreEntry): string {
  const said = value.filter(({ text }) => text.trim() !== "");
  const [only] = said;
  return said.length === 1 && only?.code === true
    ? only.text.trim()
    : textOf({ stretches: value }).trim();
}

function twiceProblem(entries: readonly ExploreEntry[]): string | undefined {
  const keys = new Set<string>();
  for (const { key, line } of entries) {
    if (keys.has(key)) return `${quote(key)} is said twice: keep one ${placeOf(line)}`;
    keys.add(key);
  }
  return undefined;
}

function sourceProblem(
  entries: readonly ExploreEntry[],
  opening: MarkdownLine,
): string | undefined {
  const [source, other] = entries.filter(({ key }) => key === "ideas" || key === "ask");
  if (source === undefined) {
    return `no ideas are named: write "ideas:" with a list below it or files such as ideas/*.md, or "ask: 5" ${placeOf(opening)}`;
  }
  if (other === undefined) return undefined;
  return `"ideas" and "ask" exclude each other: keep one ${placeOf(other.line)}`;
}
