import * as z from "zod";
import { expectationOf } from "../read/expectation.ts";
import { postgresUrl } from "../read/postgres-url.ts";
import { age, duration } from "./amounts.ts";
import { cleanup, maxRunDisk, minFreeDisk } from "./cleanup-schema.ts";
import { personalProjects, tokenProblems } from "./personal-projects-schema.ts";
import { fallbackProblems, pool } from "./pool-schema.ts";
import { repoConfigSchema } from "./repo-config.ts";
import { runnerSchema } from "./runner-schema.ts";
import { networkProblems, networks, sandboxKeys, sandboxProblems } from "./sandbox-schema.ts";
import { serve } from "./serve-schema.ts";

const name = (fallback: string, about: string) =>
  z.string().trim().min(1).default(fallback).describe(about);
const time = (fallback: string, about: string) => duration.prefault(fallback).describe(about);

const webAddress = (fallback: string, about: string) =>
  z
    .url({ protocol: /^https?$/, error: "expected an http or https address" })
    .default(fallback)
    .describe(about);

/** It takes any part of a repository's settings and refuses wrong ones with their place. */
const fixedSettings = z.record(z.string(), z.unknown()).superRefine((settings, context) => {
  const { error } = repoConfigSchema.safeParse(settings);
  for (const issue of error?.issues ?? []) {
    context.addIssue({ code: "custom", path: [...issue.path], message: expectationOf(issue) });
  }
});

const slots = z
  .number()
  .int()
  .nonnegative()
  .default(4)
  .describe(
    "Runs at the same time on this server, of all runners together; 0 leaves them to others that share the store.",
  );

const finishing = z
  .number()
  .int()
  .positive()
  .default(2)
  .describe(
    "Runs whose agent has ended that are collected, verified and pushed at the same time; they hold no slot. When more than four times as many wait for that, nothing new starts.",
  );

/** These keys say how the app runs as a service: missed webhooks, its stop, its control interface. */
const serviceKeys = {
  deliveriesEvery: duration
    .refine((ms) => ms >= 100, { error: "expected at least 100ms" })
    .prefault("5m")
    .describe("How often GitHub is asked for webhooks that did not arrive."),
  onStop: z
    .enum(["finish", "stop", "leave"])
    .default("leave")
    .describe(
      "What happens to runs when the app is told to stop: `leave` lets them go on, the next start takes them up; `finish` waits for them; `stop` ends them and queues their tasks again.",
    ),
  stopTimeout: duration
    .prefault("10m")
    .describe("How long `onStop: finish` waits; what still runs then is stopped and queued again."),
  control: z
    .strictObject({
      remote: z
        .boolean()
        .default(false)
        .describe(
          "Lets other machines use the control interface, too; the token is always needed.",
        ),
      hosts: z
        .array(z.string().min(1))
        .default([])
        .describe("Names besides `localhost` under which the control interface may be addressed."),
    })
    .prefault({})
    .describe("The interface that `wavetrain status` and `wavetrain events` use."),
};

/** These keys of the operator's file say where the store is, what it keeps and for how long. */
const storeKeys = {
  store: z
    .strictObject({
      url: postgresUrl("expected a postgres:// address")
        .optional()
        .describe(
          "Address of a PostgreSQL database, `postgres://user@host/database`, for more than one server; a file in `dataDir` if left out.",
        ),
    })
    .prefault({})
    .describe("Where the app keeps what it must not forget."),
  claimsStaleAfter: duration
    .refine((ms) => ms >= 1000, { error: "expected at least 1s" })
    .prefault("5m")
    .describe(
      "A run that gives no sign of life for this long is given up: it can no longer write, and its task is queued again.",
    ),
  keepEventsFor: age
    .prefault("90d")
    .describe("Events of tasks that ended longer ago are folded into one summary per task."),
  keepSignalsFor: age
    .prefault("7d")
    .describe(
      "Webhooks that were dealt with longer ago are forgotten; GitHub sends a delivery again for 3 days at most.",
    ),
};

/** This is the operator's file on the server. Runner commands come from here alone. */
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
    serve,
    repositories: z
      .record(
        z.string().regex(/^[^/\s]+\/[^/\s]+$/, { error: "expected a repository as owner/name" }),
        fixedSettings,
      )
      .default({})
      .describe(
        "Settings of .github/wavetrain.yml that the operator fixes for a repository (`owner/name`), whatever its own file says; a repository that is named here takes part, with or without a file.",
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
