import { mostEvaluations } from "../../domain/exploration.ts";
import { formatDuration } from "../../shared/format.ts";
import type { ExplorePlanned } from "./explore-options.ts";

/** Says what will be tried at most, before anything is. */
export function renderExplorePlan(options: ExplorePlanned): string {
  const { ideaCount, branch, config, score, limits } = options;
  const { depth, beam, strict, patience } = config.explore;
  const most = mostEvaluations(ideaCount, depth, beam);
  const ideas = ideaCount === 1 ? "1 idea" : `${ideaCount} ideas`;
  const from = score.files.length === 0 ? "" : `; of the base: ${score.files.join(", ")}`;
  const below = depth === 1 ? "" : `, then each on the best ${beam} of the level before`;
  const ends = [
    ...(strict ? ["an evaluation fails: it is strict"] : []),
    ...(patience === undefined ? [] : [`${countOf(patience, "level")} brought no better score`]),
  ];
  return [
    "Plan",
    `  ${ideas}: ${sourceOf(options)}`,
    `  ${countOf(depth, "level")}: each idea on ${branch}${below}`,
    `  up to ${countOf(most, "evaluation")}, ${limits.parallel === 1 ? "one after the other" : `${limits.parallel} at once`}${perNode(options)}; ${eachOne(options)}`,
    `  score: \`${score.run}\`, the ${score.best === "high" ? "highest" : "lowest"} is the best${from}`,
    ...(ends.length === 0 ? [] : [`  ends early when ${ends.join(", or when ")}`]),
    "",
  ].join("\n");
}

function sourceOf({ ideas }: ExplorePlanned): string {
  switch (ideas.kind) {
    case "files":
      return ideas.patterns.join(", ");
    case "list":
      return ideas.ideas.map(({ name }) => name).join("; ");
    case "ask":
      return "the runner proposes them";
  }
}

function perNode({ config, limits }: ExplorePlanned): string {
  const { perNode: most } = config.explore;
  return most === undefined || most >= limits.parallel ? "" : `, ${most} of one commit`;
}

function eachOne({ config }: ExplorePlanned): string {
  const { retries, timeout } = config.explore;
  const again = retries === 0 ? "never tried again" : `tried again ${timesOf(retries)}`;
  const limit = Math.min(timeout ?? Infinity, config.timeouts.run);
  return `each may take ${formatDuration(limit)}, and is ${again} if it fails`;
}

function timesOf(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

function countOf(count: number, what: string): string {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}
