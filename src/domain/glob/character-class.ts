import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import {
  ANY_CHARACTER,
  complementOf,
  countPoints,
  intersectSets,
  setFromRanges,
} from "./code-points.ts";
import type { CodePointSet } from "./code-points.ts";
import { bothCases } from "./fold-case.ts";
import { MAX_CLASS_SIZE } from "./limits.ts";

type Range = readonly [low: number, high: number];

const NAMED_CLASS = /\[:(\^?\w+):\]/y;
const NAMED: Readonly<Record<string, readonly Range[]>> = {
  alnum: ranges("09", "AZ", "az"),
  alpha: ranges("AZ", "az"),
  blank: ranges("  ", "\t\t"),
  digit: ranges("09"),
  lower: ranges("az"),
  punct: ranges("!.", ":@", "[`", "{~"),
  space: ranges("  ", "\t\r"),
  upper: ranges("AZ"),
  word: ranges("09", "AZ", "az", "__"),
  xdigit: ranges("09", "AF", "af"),
};

/** Reads `[…]` at a position; the length includes both brackets. */
export function parseCharacterClass(
  text: string,
  at: number,
): Result<{ readonly set: CodePointSet; readonly length: number }, string> {
  const negated = text[at + 1] === "!" || text[at + 1] === "^";
  const first = at + (negated ? 2 : 1);
  const members: Range[] = [];
  let next = first;
  while (next === first || text[next] !== "]") {
    const member = parseMember(text, next);
    if (!member.ok) return member;
    members.push(...member.value.ranges);
    next += member.value.length;
  }
  const set = setFromRanges(members);
  if (countPoints(set) > MAX_CLASS_SIZE) {
    return fail(`[ ] stands for more than ${MAX_CLASS_SIZE} characters`);
  }
  const length = next + 1 - at;
  // Without both cases, `[!a]` would match A and so conflict with a wherever letter case is folded.
  const accepted = negated ? complementOf(bothCases(set)) : intersectSets(set, ANY_CHARACTER);
  return ok({ set: accepted, length });
}

type Member = Result<{ readonly ranges: readonly Range[]; readonly length: number }, string>;

function parseMember(text: string, at: number): Member {
  const named = namedClass(text, at);
  if (named) return named;
  const low = parseCharacter(text, at);
  if (!low.ok) return low;
  const dash = at + low.value.length;
  const isRange = text[dash] === "-" && text[dash + 1] !== "]" && dash + 1 < text.length;
  if (!isRange) return ok({ ranges: [[low.value.point, low.value.point]], length: dash - at });
  const high = parseCharacter(text, dash + 1);
  if (!high.ok) return high;
  if (high.value.point < low.value.point) return fail("a range in [ ] runs backwards");
  const length = dash + 1 + high.value.length - at;
  return ok({ ranges: [[low.value.point, high.value.point]], length });
}

function namedClass(text: string, at: number): Member | undefined {
  NAMED_CLASS.lastIndex = at;
  const match = NAMED_CLASS.exec(text);
  if (!match) return undefined;
  const known = NAMED[match[1] ?? ""];
  return known
    ? ok({ ranges: known, length: match[0].length })
    : fail(`${match[0]} is not a known character class`);
}

function parseCharacter(
  text: string,
  at: number,
): Result<{ readonly point: number; readonly length: number }, string> {
  const start = text[at] === "\\" ? at + 1 : at;
  const point = text.codePointAt(start);
  if (point === undefined) return fail("[ is never closed");
  if (text[start] === "/") return fail("[ ] cannot contain /");
  return ok({ point, length: start - at + (point > 0xffff ? 2 : 1) });
}

function ranges(...ends: readonly string[]): readonly Range[] {
  return ends.map((pair) => [pair.charCodeAt(0), pair.charCodeAt(1)] as const);
}
