import * as z from "zod";

const name = (fallback: string, about: string) =>
  z.string().trim().min(1).default(fallback).describe(about);

const areDifferent = (names: object): boolean => {
  const known = Object.values(names).map((one) => String(one).toLowerCase());
  return new Set(known).size === known.length;
};

const columns = z
  .strictObject({
    ready: name("Ready", "Cards here are work to do."),
    running: name("In progress", "A run is at work."),
    review: name("In review", "A pull request waits for a person."),
    queued: name("Queued", "Approved; in the train."),
    done: name("Done", "Landed on the base branch."),
    blocked: name("Blocked", "Cannot be planned or was given up; the comment says why."),
  })
  .refine((names) => new Set(Object.values(names)).size === Object.keys(names).length, {
    error: "expected a different column for each role",
  })
  .prefault({})
  .describe("The board's name of the column for each role.");

const labels = z
  .strictObject({
    ready: name("ready", "Issues with this label are work to do."),
    running: name("in-progress", "A run is at work."),
    review: name("in-review", "A pull request waits for a person."),
    queued: name("queued", "Approved; in the train."),
    done: name("done", "Landed on the base branch."),
    blocked: name("blocked", "Cannot be planned or was given up; the comment says why."),
  })
  .refine(areDifferent, { error: "expected a different label for each role" })
  .prefault({})
  .describe("On a board of labels: the label for each role, after the prefix.");

/** It says where the tasks of a repository are. */
export const board = z
  .strictObject({
    kind: z
      .enum(["project", "labels", "user-project"])
      .optional()
      .describe(
        "`project` takes the cards of an organization's project, `labels` the issues with one of the labels below, `user-project` the cards of a person's own project, if the operator allows it; if left out, labels for a person's repository that names no project, and the project for any other.",
      ),
    project: z.number().int().positive().default(1).describe("Number of the project."),
    owner: z
      .string()
      .trim()
      .min(1)
      .optional()
      .describe("On a `user-project`: whose it is; the repository's owner if left out."),
    statusField: name("Status", "The project's field that holds the column."),
    columns,
    labelPrefix: z
      .string()
      .default("")
      .describe("On a board of labels: what every label starts with, such as `wavetrain:`."),
    labels,
  })
  .prefault({})
  .describe("Where the tasks are.");
