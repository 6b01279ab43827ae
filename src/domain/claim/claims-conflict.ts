import { foldText } from "../glob/fold-case.ts";
import type { PathPattern } from "../glob/path-pattern.ts";
import { commonPath, patternsMeet } from "../glob/patterns-meet.ts";
import { areaCovers, isWithin } from "./area.ts";
import type { Area } from "./area.ts";
import type { CompiledClaims } from "./compile-claims.ts";

/** A side has the paths of one mode, with those that the task takes out of them. */
interface Side {
  readonly paths: readonly PathPattern[];
  readonly exclusions: Area;
}

/**
 * Returns a path that one task may write and the other may write or depends on, or nothing.
 * It does not look at `alone`.
 */
export function claimsConflict(a: CompiledClaims, b: CompiledClaims): string | undefined {
  return (
    sharedPath(writesOf(a), writesOf(b)) ??
    sharedPath(writesOf(a), readsOf(b)) ??
    sharedPath(readsOf(a), writesOf(b))
  );
}

function sharedPath(a: Side, b: Side): string | undefined {
  let excluded: string | undefined;
  for (const x of a.paths) {
    if (isWithin(x, b.exclusions)) continue;
    for (const y of b.paths) {
      if (!patternsMeet(x, y) || isWithin(y, a.exclusions)) continue;
      const path = commonPath(x, y);
      if (!isExcluded(path, a) && !isExcluded(path, b)) return path;
      excluded ??= path;
    }
  }
  return excluded;
}

function isExcluded(path: string | undefined, { exclusions }: Side): boolean {
  return path !== undefined && areaCovers(exclusions, path.split("/").map(foldText));
}

function writesOf({ writes, exclusions }: CompiledClaims): Side {
  return { paths: writes, exclusions };
}

function readsOf({ reads, exclusions }: CompiledClaims): Side {
  return { paths: reads, exclusions };
}
