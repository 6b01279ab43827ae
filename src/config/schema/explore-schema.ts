import * as z from "zod";
import { MAX_BEAM, MAX_DEPTH } from "../../domain/exploration.ts";
import { duration } from "./amounts.ts";
import { filePattern } from "./path-pattern.ts";

const NAME = /^[a-z0-9][a-z0-9._-]{0,39}$/i;
const MAX_PATIENCE = 10;
const MAX_RETRIES = 10;

const whole = (least: number, most?: number) => {
  const number = z.number().int().min(least);
  return most === undefined ? number : number.max(most);
};

const score = z.strictObject({
  run: z
    .string()
    .min(1)
    .describe(
      "Shell command that scores a change, after `verify`: it exits 0 and prints a number on its last line.",
    ),
  files: z
    .array(filePattern)
    .default([])
    .describe(
      "Files that the command needs: taken from the base branch before scoring, so that no evaluation can edit its judge.",
    ),
  best: z
    .enum(["high", "low"])
    .default("high")
    .describe("Whether the highest or the lowest score is the best."),
  timeout: duration
    .optional()
    .describe("How long the command may take; `timeouts.verify` if left out."),
});

const confirmAbove = z
  .strictObject({
    evaluations: whole(1)
      .default(30)
      .describe("Evaluations above which a person has to say `/explore go`."),
    usd: z
      .number()
      .positive()
      .default(20)
      .describe("Expected dollars above which a person has to say `/explore go`."),
  })
  .prefault({})
  .describe("What an exploration may be expected to cost without being asked about.");

/** These keys are about explorations, and about how several changes are compared. */
export const exploreKeys = {
  scores: z
    .record(
      z.string().regex(NAME, {
        error:
          "expected a score's name of at most 40 letters, digits, dots, hyphens and underscores",
      }),
      score,
    )
    .default({})
    .describe("The commands that say how good a change is, by name."),
  explore: z
    .strictObject({
      depth: whole(1, MAX_DEPTH)
        .default(2)
        .describe("Levels of an exploration: the first tries each idea on the base branch."),
      beam: whole(1, MAX_BEAM)
        .default(3)
        .describe("Best results of a level on which the next one goes on."),
      score: z
        .string()
        .optional()
        .describe(
          "Entry of `scores` by which results are compared, also those of several contenders.",
        ),
      strict: z
        .boolean()
        .default(false)
        .describe("Ends an exploration without a winner when one of its evaluations fails."),
      patience: whole(1, MAX_PATIENCE)
        .optional()
        .describe("Levels without a better score after which an exploration ends."),
      parallel: whole(1)
        .optional()
        .describe("At most so many evaluations of one exploration at once."),
      perNode: whole(1)
        .optional()
        .describe("At most so many evaluations of one node, the commit they start from, at once."),
      retries: whole(0, MAX_RETRIES)
        .default(1)
        .describe("How often an evaluation that failed is tried again."),
      timeout: duration
        .optional()
        .describe("How long one evaluation may take; `timeouts.run` if left out."),
      confirmAbove,
    })
    .prefault({})
    .describe("Tasks that try several ideas, level by level."),
};

interface ScoreChoice {
  readonly scores: Readonly<Record<string, unknown>>;
  readonly explore: { readonly score?: string | undefined };
}

/** Says why the chosen score cannot be used, with the place of the wrong name. */
export function scoreProblems({
  scores,
  explore,
}: ScoreChoice): readonly { readonly path: readonly string[]; readonly message: string }[] {
  if (explore.score === undefined || Object.hasOwn(scores, explore.score)) return [];
  const names = Object.keys(scores);
  const message =
    names.length === 0 ? "there are no scores" : `expected one of the scores: ${names.join(", ")}`;
  return [{ path: ["explore", "score"], message }];
}
