import { reporterOf } from "./finding.ts";
import type { Finding } from "./finding.ts";
import type { RepoReading } from "./repo-reading.ts";

const SIGN_UP =
  "to sign one up, add .github/wavetrain.yml to its default branch (an empty file is enough), or name it in serve.allow or repositories of the operator's file";

/** Decides what to report about the repositories that the app sees and leaves alone. */
export function decideLeftAlone(readings: readonly RepoReading[]): readonly Finding[] {
  const left = readings.filter(({ leftAlone }) => leftAlone !== undefined);
  if (left.length === 0) return [];
  const say = reporterOf({ check: "left-alone" });
  const silent = namesOf(left, "no-file");
  const denied = namesOf(left, "denied");
  return [
    ...(silent.length === 0
      ? []
      : [say.ok(`nobody signed up ${silent.join(", ")}: nothing is done there; ${SIGN_UP}`)]),
    ...(denied.length === 0
      ? []
      : [say.ok(`the operator's file denies ${denied.join(", ")} (serve.deny)`)]),
    ...(left.length === readings.length
      ? [say.warning("no repository takes part: nothing will be done", SIGN_UP)]
      : []),
  ];
}

function namesOf(
  readings: readonly RepoReading[],
  why: RepoReading["leftAlone"],
): readonly string[] {
  return readings
    .filter(({ leftAlone }) => leftAlone === why)
    .map(({ installed }) => installed.repo);
}
