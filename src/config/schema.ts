import * as z from "zod";
import { DEFAULT_BARRIER_FILES, DEFAULT_SHARED_FILES } from "../domain/claim/claim-rules.ts";
import { parseClaim } from "../domain/claim/parse-claim.ts";
import { board } from "./board-schema.ts";
import { cleanup, maxRunDisk, minFreeDisk } from "./cleanup-schema.ts";
import { duration } from "./duration.ts";
import { expectationOf } from "./expectation.ts";
import { personalProjects, tokenProblems } from "./personal-projects-schema.ts";
import { failureLimits, fallbackProblems, pool, repoBudget } from "./pool-schema.ts";
import { networkProblems, networks } from "./network-schema.ts";
import { objectives } from "./objectives-schema.ts";
import { runKeys } from "./run-schema.ts";
import { runnerSchema } from "./runner-schema.ts";
import { sandboxKeys, sandboxProblems } from "./sandbox-schema.ts";
import { setupCache } from "./setup-cache-schema.ts";
import { finishing, serviceKeys, slots } from "./service-schema.ts";
import { storeKeys } from "./store-schema.ts";
import { trainSchema } from "./train-schema.ts";

const name = (fallback: string, about: string) =>
  z.string().trim().min(1).default(fallback).describe(about);
const count = (fallback: number, about: string) =>
  z.number().int().positive().default(fallback).describe(about);
const time = (fallback: string, about: string) => duration.prefault(fallback).describe(about);

const pattern = z.string().superRefine((text, context) => {
  const parsed = parseClaim(text);
  if (!parsed.ok) context.addIssue({ code: "custom", message: parsed.error.reason });
});

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
  })
  .prefault({})
  .describe("The repository's labels.");

/** `.github/wavetrain.yml` on the default branch. Every value has a default. */
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
  ...runKeys,
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

export type RepoConfig = z.infer<typeof repoConfigSchema>;

const webAddress = (fallback: string, about: string) =>
  z
    .url({ protocol: /^https?$/, error: "expected an http or https address" })
    .default(fallback)
    .describe(about);

/** Any part of a repository's settings, wrong ones refused with their place. */
const fixedSettings = z.record(z.string(), z.unknown()).superRefine((settings, context) => {
  const { error } = repoConfigSchema.safeParse(settings);
  for (const issue of error?.issues ?? []) {
    context.addIssue({ code: "custom", path: [...issue.path], message: expectationOf(issue) });
  }
});

/** The operator's file on the server. Runner commands come from here alone. */
export const operatorConfigSchema = z
  .strictObject({
    dataDir: name(".wavetrain", "Folder for the store, mirrors, workspaces and logs."),
    server: z
      .strictObject({
        host: name("127.0.0.1", "Address to listen on."),
        port: z
          .number()
          .int()
          .min(0)
          .max(65_535)
          .default(3000)
          .describe("Port to listen on; 0 takes a free one."),
        name: z
          .string()
          .trim()
          .min(1)
          .optional()
          .describe(
            "What this server is called where several share a store; the machine's name if left out.",
          ),
      })
      .prefault({})
      .describe("Where webhooks and the dashboard are served."),
    github: z
      .strictObject({
        apiUrl: webAddress(
          "https://api.github.com",
          "Root of the REST interface; GraphQL's follows from it.",
        ),
        gitUrl: webAddress("https://github.com", "Root of the git addresses."),
        pacing: z
          .enum(["polite", "off"])
          .default("polite")
          .describe(
            "`polite` keeps to GitHub's limits: ten writes at once, then one a second, and what docs/api-cost.md lists; `off` is for a GitHub of your own.",
          ),
      })
      .prefault({})
      .describe("Which GitHub to talk to."),
    runners: z
      .record(
        z.string().regex(/^[a-z0-9][a-z0-9-]*$/, {
          error: "expected a runner's name of small letters, digits and hyphens",
        }),
        runnerSchema,
      )
      .refine((runners) => Object.keys(runners).length > 0, { error: "name at least one runner" })
      .describe("The agent programs, by name."),
    defaultRunner: z
      .string()
      .optional()
      .describe("Runner for repositories that name none; the first one if left out."),
    ...sandboxKeys,
    network: networks,
    slots,
    finishing,
    ...pool,
    launchDelay: time("0s", "Pause between two starts; while it lasts the slot is nobody's."),
    retry: z
      .strictObject({
        backoff: time("10s", "Pause before the second attempt; it doubles with each."),
        maxBackoff: time("5m", "Longest pause between attempts."),
      })
      .prefault({})
      .describe("Pauses between the attempts of a task."),
    cleanup,
    minFreeDisk,
    maxRunDisk,
    reconcileEvery: time("1m", "How often every board is read, whether or not a webhook came."),
    personalProjects,
    ...serviceKeys,
    ...storeKeys,
    repositories: z
      .record(
        z.string().regex(/^[^/\s]+\/[^/\s]+$/, { error: "expected a repository as owner/name" }),
        fixedSettings,
      )
      .default({})
      .describe(
        "Settings of .github/wavetrain.yml that the operator fixes for a repository (`owner/name`), whatever its own file says.",
      ),
  })
  .superRefine((config, context) => {
    const problems = [sandboxProblems(config), networkProblems(config), tokenProblems(config)];
    for (const problem of problems.flat()) context.addIssue({ code: "custom", ...problem });
    const { defaultRunner, runners } = config;
    for (const { path, message } of fallbackProblems(runners)) {
      context.addIssue({ code: "custom", path: [...path], message });
    }
    if (defaultRunner === undefined || Object.hasOwn(runners, defaultRunner)) return;
    context.addIssue({
      code: "custom",
      path: ["defaultRunner"],
      message: `expected one of the runners: ${Object.keys(runners).join(", ")}`,
    });
  });

export type OperatorConfig = z.infer<typeof operatorConfigSchema>;
