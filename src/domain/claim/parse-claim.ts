import { UNSEEN } from "../../shared/clean-text.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { forbiddenName } from "../glob/written-path.ts";
import type { Claim, ClaimMode } from "./claim.ts";
import { claimedPaths, excludedPaths, exclusionProblem, readPattern } from "./compile-pattern.ts";

/** Says why a declared line is not a claim, as a phrase that follows the quoted line. */
export interface ClaimError {
  readonly reason: string;
}

const READ_PREFIX = /^read:\s*/i;
const CONTROL = /[\p{Cc}\u2028\u2029]/u;
const LONE_SURROGATE = /\p{Surrogate}/u;
const ABSOLUTE = /^(?:\/|~\/|[A-Za-z]:[\\/])/;

/** Reads one declared line: `path`, `read: path` or `!path`. */
export function parseClaim(line: string): Result<Claim, ClaimError> {
  const { mode, pattern } = splitMode(line.trim());
  const normalized = normalizeSlashes(pattern.normalize("NFC"));
  const reason = textProblem(mode, pattern) ?? patternProblem(mode, normalized);
  return reason === undefined ? ok({ mode, pattern: normalized }) : fail({ reason });
}

function splitMode(text: string): { mode: ClaimMode; pattern: string } {
  if (READ_PREFIX.test(text)) return { mode: "read", pattern: text.replace(READ_PREFIX, "") };
  if (text.startsWith("!")) return { mode: "except", pattern: text.slice(1).trimStart() };
  return { mode: "write", pattern: text };
}

function textProblem(mode: ClaimMode, pattern: string): string | undefined {
  if (pattern === "") return "it names no path";
  if (CONTROL.test(pattern)) return "it has a control character";
  if (LONE_SURROGATE.test(pattern)) return "it is not valid Unicode";
  // People would see another path than the one that is claimed.
  if (pattern.search(UNSEEN) >= 0) return "it has a character that cannot be seen";
  if (ABSOLUTE.test(pattern)) {
    return "absolute path: write it from the root of the repository, without a leading /";
  }
  return mode === "write" ? undefined : modeProblem(mode, pattern);
}

function modeProblem(mode: ClaimMode, pattern: string): string | undefined {
  if (READ_PREFIX.test(pattern) || pattern.startsWith("!"))
    return "write read: or ! once, not both";
  if (mode === "except" && pattern.startsWith("(")) {
    return "!( is ambiguous: write !./( to exclude, or ./!( for a group";
  }
  return undefined;
}

function patternProblem(mode: ClaimMode, pattern: string): string | undefined {
  const forbidden = pattern
    .split("/")
    .map(forbiddenName)
    .find((problem) => problem !== undefined);
  if (forbidden !== undefined) return forbidden;
  const read = readPattern(pattern);
  if (!read.ok) return read.error;
  const inexact = exclusionProblem(mode, read.value);
  if (inexact !== undefined) return inexact;
  const paths = mode === "except" ? excludedPaths(read.value) : claimedPaths(read.value, undefined);
  return paths.ok ? undefined : paths.error;
}

function normalizeSlashes(pattern: string): string {
  const names = pattern.split("/").filter((name, i, all) => {
    const isLast = i === all.length - 1;
    return name !== "." && (name !== "" || isLast);
  });
  const joined = names.join("/");
  return joined === "" ? "**" : joined;
}
