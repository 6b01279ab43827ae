import { normalize } from "node:path/posix";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { findCommand } from "../trial/find-command.ts";
import type { TypedWhere } from "../trial/find-command.ts";
import { checkPatterns, vainPattern } from "./check-ideas.ts";
import type { RawExploreOptions, WantedScore } from "./explore-options.ts";
import type { Head } from "./read-head.ts";

/** Finds what the score needs. A script of the repository that it names is the base's each time, as if it were in --score-files. */
export async function checkScore(
  { score, scoreFiles = [], best: which }: RawExploreOptions,
  { paths, branch }: Head,
  where: Omit<TypedWhere, "isTracked">,
): Promise<Result<WantedScore, string>> {
  const best = (["high", "low"] as const).find((word) => word === which);
  if (best === undefined) return fail("--best takes high or low");
  if (score === undefined || score.trim() === "")
    return fail("--score CMD is missing: it prints a number that says how good a change is");
  const patterns = checkPatterns(scoreFiles, "--score-files");
  if (!patterns.ok) return patterns;
  const vain = vainPattern(patterns.value, paths);
  if (vain !== undefined) return fail(`--score-files ${vain}: no file of ${branch} matches`);
  const committed = new Set(paths);
  const isTracked = (path: string): boolean => committed.has(normalize(path));
  const found = await findCommand(score, { ...where, isTracked });
  if (!found.ok) return fail(`--score: ${found.error}`);
  const own = found.value.tracked === undefined ? [] : [normalize(found.value.tracked)];
  return ok({ run: found.value.command, files: [...new Set([...patterns.value, ...own])], best });
}
