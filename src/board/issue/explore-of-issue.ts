import type { RepoConfig } from "../../config/schema/repo-config.ts";
import { quote } from "../../shared/quote.ts";
import type { Declaration } from "./declarations.ts";
import { declaredExplore } from "./declared-explore.ts";
import type { DeclaredExplore } from "./declared-explore.ts";

/** Returns what an issue with the label explores, or says why nothing can be explored. */
export function exploreOfIssue(
  found: readonly Declaration[],
  { labels, scores, explore: settings }: Pick<RepoConfig, "explore" | "labels" | "scores">,
): DeclaredExplore {
  const declared = declaredExplore(found);
  const { explore } = declared;
  if (explore === undefined) {
    return { explore, problem: declared.problem ?? missingProblem(labels.explore) };
  }
  const problem = scoreProblem(explore.score ?? settings.score, Object.keys(scores));
  return problem === undefined ? declared : { explore: undefined, problem };
}

function missingProblem(label: string): string {
  return `the label ${quote(label)} goes with a section Explore, and there is none: write "ideas:" there with a list below it or files such as ideas/*.md, or "ask: 5"`;
}

function scoreProblem(score: string | undefined, names: readonly string[]): string | undefined {
  if (score !== undefined && names.includes(score)) return undefined;
  const wrong =
    score === undefined
      ? "no score says which result is the best"
      : `${quote(score)} is no score of this repository`;
  const right =
    names.length === 0
      ? ".github/wavetrain.yml has no scores, a person has to add one there"
      : `write "score:" in the section Explore with one of those in .github/wavetrain.yml: ${names.join(", ")}`;
  return `${wrong}; ${right}. Commands never come from an issue`;
}
