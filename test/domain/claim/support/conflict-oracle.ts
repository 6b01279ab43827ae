import { isDisjointWith, JS, NFA } from "refa";
import { naiveMatches, naiveMatchesAbove, reachOf } from "./naive-matcher.ts";
import { lowerCase, plainName } from "./pattern-model.ts";
import type { Part, PatternModel } from "./pattern-model.ts";

/**
 * A name that looks like a file's is a directory after all if the other claim goes on below it.
 * Says whether the first pattern is to be read so beside the second.
 */
export function isReadAsDirectory(file: PatternModel, other: PatternModel): boolean {
  const name = reachOf(file) === "exactly" ? plainName(file.parts.at(-1)) : undefined;
  if (name === undefined) return false;
  const above = reachOf(other) === "exactly" ? other.parts.slice(0, -1) : other.parts;
  return above.some((part) => plainName(part) === name);
}

/** Whether a path that the product gives as an example is one that the pattern stands for beside the other. */
export function certifies(path: string, model: PatternModel, other: PatternModel): boolean {
  if (naiveMatches(model, path)) return true;
  return isReadAsDirectory(model, other) && naiveMatchesAbove(model, path);
}

/** Every path of up to so many characters. */
export function allPaths(alphabet: readonly string[], maxLength: number): string[] {
  let paths = [""];
  const all: string[] = [];
  for (let length = 1; length <= maxLength; length += 1) {
    paths = paths.flatMap((path) => [...alphabet, "/"].map((char) => path + char));
    paths = paths.filter((path) => !path.startsWith("/") && !path.includes("//"));
    all.push(...paths.filter((path) => !path.endsWith("/") && !/(^|\/)\.{1,2}(\/|$)/.test(path)));
  }
  return all;
}

/** The truth about a small world: which of all its paths a pattern matches. */
export interface Matched {
  readonly model: PatternModel;
  readonly at: Uint8Array;
  readonly below: Uint8Array;
}

export function matchEveryPath(model: PatternModel, paths: readonly string[]): Matched {
  const at = Uint8Array.from(paths, (path) => Number(naiveMatches(model, path)));
  const isFile = reachOf(model) === "exactly" && plainName(model.parts.at(-1)) !== undefined;
  if (!isFile) return { model, at, below: new Uint8Array(paths.length) };
  return { model, at, below: Uint8Array.from(paths, (p) => Number(naiveMatchesAbove(model, p))) };
}

export function conflictInSmallWorld(a: Matched, b: Matched): boolean {
  const readA = isReadAsDirectory(a.model, b.model);
  const readB = isReadAsDirectory(b.model, a.model);
  return a.at.some(
    (isAt, i) =>
      (isAt === 1 && b.at[i] === 1) ||
      (readA && a.below[i] === 1 && b.at[i] === 1) ||
      (readB && isAt === 1 && b.below[i] === 1),
  );
}

/** The truth where letter case does not tell files apart. */
export function matchEveryPathFolded(model: PatternModel, paths: readonly string[]): Matched {
  const lower = [...new Set(paths.map((path) => path.toLowerCase()))];
  const matched = (matches: typeof naiveMatches): Uint8Array => {
    const hits = new Set(paths.filter((p) => matches(model, p)).map((p) => p.toLowerCase()));
    return Uint8Array.from(lower, (path) => Number(hits.has(path)));
  };
  const [at, below] = [matched(naiveMatches), matched(naiveMatchesAbove)];
  return { model: lowerCase(model), at, below };
}

/** The exact truth for patterns of any size, by finite automata. */
export interface Automata {
  readonly model: PatternModel;
  readonly own: NFA;
  readonly asDirectory: NFA;
}

export function automataOf(model: PatternModel): Automata {
  const own = expressionOf(model);
  return { model, own: automaton(own), asDirectory: automaton(`${own}(?:/[^/]+)*`) };
}

export function conflictOfAutomata(a: Automata, b: Automata): boolean {
  if (!isDisjointWith(a.own, b.own)) return true;
  if (isReadAsDirectory(a.model, b.model) && !isDisjointWith(a.asDirectory, b.own)) return true;
  return isReadAsDirectory(b.model, a.model) && !isDisjointWith(a.own, b.asDirectory);
}

function automaton(expression: string): NFA {
  const { expression: parsed, maxCharacter } = JS.Parser.fromLiteral({
    source: `^(?:${expression})$`,
    flags: "u",
  }).parse();
  return NFA.fromRegex(parsed, { maxCharacter }, { assertions: "ignore" });
}

function expressionOf(model: PatternModel): string {
  const { parts } = model;
  const names = parts.at(-1) === "**" ? parts.slice(0, -1) : parts;
  const reach = reachOf(model);
  if (names.length === 0) return "[^/]+(?:/[^/]+)*";
  const before = names
    .slice(0, -1)
    .map((part) => (part === "**" ? "(?:[^/]+/)*" : `${nameExpression(part)}/`));
  return before.join("") + lastExpression(names.at(-1) ?? "**", reach);
}

function lastExpression(part: Part, reach: ReturnType<typeof reachOf>): string {
  if (part === "**") return "[^/]+(?:/[^/]+)*";
  const after = { exactly: "", "exactly-or-below": "(?:/[^/]+)*", below: "(?:/[^/]+)+" };
  return nameExpression(part) + after[reach];
}

function nameExpression(part: Exclude<Part, "**">): string {
  if (part.every((atom) => atom.kind === "star")) return "[^/]+";
  return part
    .map((atom) => {
      if (atom.kind === "star") return "[^/]*";
      if (atom.kind === "any") return "[^/]";
      if (atom.kind === "char") return atom.char.replace(/[.]/, "\\.");
      return `[${atom.isNegated ? "^/" : ""}${atom.members}]`;
    })
    .join("");
}
