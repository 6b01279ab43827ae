import * as z from "zod";
import { DEFAULT_BARRIER_FILES, DEFAULT_SHARED_FILES } from "../../domain/claim/claim-rules.ts";
import { duration } from "./amounts.ts";
import { board } from "./board-schema.ts";
import { exploreKeys, scoreProblems } from "./explore-schema.ts";
import { objectives } from "./objectives-schema.ts";
import { pattern } from "./path-pattern.ts";
import { failureLimits, repoBudget } from "./pool-schema.ts";
import { trainSchema } from "./train-schema.ts";

const LOCKFILES = DEFAULT_SHARED_FILES.filter((pattern) => pattern !== "**/CHANGELOG.md");

const name = (fallback: string, about: string) =>
  z.string().trim().min(1).default(fallback).describe(about);
const count = (fallback: number, about: string) =>
  z.number().int().positive().default(fallback).describe(about);
const time = (fallback: string, about: string) => duration.prefault(fallback).describe(about);

const labels = z
  .strictObject({
    parallelSafe: name(
      "parallel-safe",
      "May run beside others; a parent gives it to its subtasks.",
    ),
    exclusive: name("exclusive", "Runs alone in its repository."),
    priorityHigh: name("priority:high", "Goes first."),
    priorityLow: name("priority:low", "Goes last."),
    sizePrefix: name("size:", "Before s, m, l or xl: how much work to expect."),
    runnerPrefix: name("runner:", "Before the name of the runner to use."),
    candidatesPrefix: name(
      "candidates:",
      "Before a number from 1 to 5: that many runs, of which the best is taken.",
    ),
    objective: name("objective", "Too big for one run; its sub-issues are the tasks."),
    explore: name("explore", "Tries the ideas of its section Explore and takes the best."),
  })
  .prefault({})
  .describe("The repository's labels.");

const setupCache = z
  .strictObject({
    enabled: z
      .boolean()
      .default(true)
      .describe(
        "Runs `setup` once for the same key files and copies what it made, as far as git ignores it, into other workspaces. Turn it off for a `setup` that does more than that, such as starting a database.",
      ),
    keys: z
      .array(pattern)
      .default([...LOCKFILES, "**/requirements*.txt"])
      .describe(
        "Files that decide what `setup` makes. In a commit that has none of them `setup` runs every time.",
      ),
  })
  .prefault({})
  .describe("When what `setup` made may be used again.");

/** These keys are about a repository's runs, besides `setup` and `verify`. */
const runKeys = {
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

/** This has the keys of `.github/wavetrain.yml`, each right by itself. An operator fixes any part of them. */
export const repoConfigSchema = z.strictObject({
  board,
  labels,
  objectives,
  base: z
    .string()
    .min(1)
    .optional()
    .describe("Branch to start from and land on; the default branch if left out."),
  runner: z
    .string()
    .min(1)
    .optional()
    .describe("Runner for tasks that name none; the operator's default if left out."),
  setup: z
    .string()
    .min(1)
    .optional()
    .describe("Shell command that prepares a fresh workspace, before the runner starts."),
  setupCache,
  verify: z
    .string()
    .min(1)
    .optional()
    .describe("Shell command that must exit 0 on exactly what is about to land."),
  ...exploreKeys,
  ...runKeys,
  retry: z
    .enum(["continue", "fresh"])
    .default("continue")
    .describe(
      "`continue` gives an attempt after a failed one what that one changed, and its conversation; `fresh` starts from the base branch and knows only how the last one ended.",
    ),
  allowUnverified: z.boolean().default(false).describe("Lands changes when `verify` is not set."),
  schedule: z
    .enum(["rolling", "waves"])
    .default("rolling")
    .describe(
      "`rolling` starts a task as soon as its files are free; `waves` finishes one wave first.",
    ),
  onFailure: z
    .enum(["continue", "stop-wave"])
    .default("continue")
    .describe(
      "After a task was given up: `continue` with the others, or `stop-wave` until someone has dealt with it.",
    ),
  scope: z
    .enum(["extend", "reject", "allow"])
    .default("extend")
    .describe(
      "A run changed files that it did not declare: `extend` takes them if no other task claims them, `reject` sends it back, `allow` takes them always.",
    ),
  barriers: z
    .array(pattern)
    .default([...DEFAULT_BARRIER_FILES])
    .describe(
      "Patterns that change how everything else behaves: a task that writes one runs alone.",
    ),
  shared: z
    .array(pattern)
    .default([...DEFAULT_SHARED_FILES])
    .describe("Patterns that many tasks may write at the same time, such as lockfiles."),
  merge: z
    .enum(["squash", "merge", "rebase"])
    .default("squash")
    .describe("What becomes of a change's commits when it lands."),
  land: z
    .enum(["pull-request", "commit"])
    .default("pull-request")
    .describe(
      "`pull-request` waits for a person's approval; `commit` lands a run's change without a pull request.",
    ),
  train: trainSchema,
  limits: z
    .strictObject({
      parallel: count(4, "Runs at the same time."),
      perParent: z
        .number()
        .int()
        .positive()
        .optional()
        .describe("Runs at the same time for the sub-issues of one parent issue."),
      review: count(20, "Pull requests waiting for review before no more work is started."),
      attempts: count(3, "Failed runs of one task before it is given up."),
      ...failureLimits,
      claims: count(200, "Paths that one task may declare."),
    })
    .prefault({})
    .describe("Limits of this repository, within the operator's."),
  timeouts: z
    .strictObject({
      run: time("1h", "How long one run may take."),
      idle: time("10m", "How long a runner may go without any sign of progress."),
      verify: time("30m", "How long `setup` and `verify` may take."),
    })
    .prefault({})
    .describe("When to give up waiting."),
  budget: repoBudget,
});

/** This is `.github/wavetrain.yml` on the default branch. Every value has a default, and all of them go together. */
export const wholeRepoConfigSchema = repoConfigSchema.superRefine((config, context) => {
  for (const { path, message } of scoreProblems(config)) {
    context.addIssue({ code: "custom", path: [...path], message });
  }
});

export type RepoConfig = z.infer<typeof repoConfigSchema>;
