import { evaluationsOf } from "../../domain/explore/evaluations.ts";
import type { Run } from "../../domain/run.ts";
import type { ExploreView } from "./exploration-watch.ts";

/** Returns the last run of each evaluation that came to nothing by itself, or of what should have opened the exploration. */
export function failedRuns({ exploration, runs }: ExploreView): readonly Run[] {
  const last =
    exploration === undefined
      ? runs.slice(-1)
      : evaluationsOf(exploration, runs)
          .filter(({ state }) => state === "failed")
          .flatMap((one) => one.runs.at(-1) ?? []);
  return last.filter(({ outcome }) => outcome !== undefined && outcome.kind !== "cancelled");
}
