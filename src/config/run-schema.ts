import * as z from "zod";
import { duration } from "./duration.ts";

const count = (fallback: number, about: string) =>
  z.number().int().positive().default(fallback).describe(about);

/** What a repository says about runs, besides `setup` and `verify`. */
export const runKeys = {
  score: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Shell command for a task with several candidates: run after `verify`, it prints a number on its last line; the highest is taken.",
    ),
  feedback: z
    .strictObject({
      quiet: duration
        .prefault("2m")
        .describe("How long nobody has said anything more before a run works on what was said."),
      limit: z
        .strictObject({
          reviews: count(5, "Runs that work on requested changes of one task."),
          checks: count(3, "Runs that work on failed checks of one task."),
          conflicts: count(3, "Runs that start over because their change conflicts with the base."),
        })
        .prefault({})
        .describe("How often a task is worked on again before it is given up."),
    })
    .prefault({})
    .describe("What reviews and checks say about a pull request, and the runs that answer."),
  report: z
    .strictObject({
      waitingAfter: duration
        .prefault("10m")
        .describe(
          "How long a card waits before a comment on its issue says why; the board's field `Reason`, `/explain` and `wavetrain status` say it at once.",
        ),
    })
    .prefault({})
    .describe("What is told on issues."),
};
