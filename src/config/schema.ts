import { z } from "zod";

/** `90s`, `15m`, `2h` or a number of milliseconds. */
const duration = z
  .union([z.number().int().positive(), z.string().regex(/^\d+(ms|s|m|h)$/)])
  .transform((value) => (typeof value === "number" ? value : millisecondsOf(value)));

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

function millisecondsOf(text: string): number {
  const match = /^(\d+)(ms|s|m|h)$/.exec(text);
  const unit = match?.[2] as keyof typeof UNIT_MS | undefined;
  return unit === undefined ? 0 : Number(match?.[1]) * UNIT_MS[unit];
}

const columns = z
  .strictObject({
    ready: z.string().default("Ready"),
    running: z.string().default("In progress"),
    review: z.string().default("In review"),
    queued: z.string().default("Queued"),
    done: z.string().default("Done"),
    blocked: z.string().default("Blocked"),
  })
  .prefault({});

const labels = z
  .strictObject({
    parallelSafe: z.string().default("parallel-safe"),
    exclusive: z.string().default("exclusive"),
    priorityHigh: z.string().default("priority:high"),
    priorityLow: z.string().default("priority:low"),
    sizePrefix: z.string().default("size:"),
    runnerPrefix: z.string().default("runner:"),
    objective: z.string().default("objective"),
  })
  .prefault({});

/** `.github/wavetrain.yml` on the default branch. Every value has a default. */
export const repoConfigSchema = z.strictObject({
  board: z
    .strictObject({
      /** Number of the organization's project. */
      project: z.number().int().positive().default(1),
      statusField: z.string().default("Status"),
      columns,
    })
    .prefault({}),
  labels,
  base: z.string().optional(),
  runner: z.string().optional(),
  setup: z.string().optional(),
  verify: z.string().optional(),
  allowUnverified: z.boolean().default(false),
  schedule: z.enum(["rolling", "waves"]).default("rolling"),
  scope: z.enum(["extend", "reject", "allow"]).default("extend"),
  barriers: z
    .array(z.string())
    .default([".gitattributes", ".gitignore", ".gitmodules", ".github/**"]),
  shared: z.array(z.string()).default([]),
  merge: z.enum(["squash", "merge"]).default("squash"),
  limits: z
    .strictObject({
      parallel: z.number().int().positive().default(4),
      perParent: z.number().int().positive().optional(),
      review: z.number().int().positive().default(20),
      attempts: z.number().int().positive().default(3),
      claims: z.number().int().positive().default(200),
    })
    .prefault({}),
  timeouts: z
    .strictObject({ run: duration.default(3_600_000), verify: duration.default(1_800_000) })
    .prefault({}),
});

export type RepoConfig = z.infer<typeof repoConfigSchema>;

const runner = z.strictObject({
  command: z.string().min(1),
  slots: z.number().int().positive().default(2),
  /** Names of variables of the server's environment that the runner may see. */
  env: z.array(z.string()).default([]),
});

/** The operator's file on the server. Runner commands come from here alone. */
export const operatorConfigSchema = z.strictObject({
  dataDir: z.string().default(".wavetrain"),
  server: z
    .strictObject({
      host: z.string().default("127.0.0.1"),
      port: z.number().int().min(0).max(65_535).default(3000),
    })
    .prefault({}),
  github: z
    .strictObject({
      /** REST root; GraphQL and git URLs follow from it. */
      apiUrl: z.string().default("https://api.github.com"),
      gitUrl: z.string().default("https://github.com"),
      /** `polite` keeps GitHub's advice of one write a second; `off` is for a GitHub of your own. */
      pacing: z.enum(["polite", "off"]).default("polite"),
    })
    .prefault({}),
  runners: z
    .record(z.string().regex(/^[a-z0-9][a-z0-9-]*$/), runner)
    .refine((runners) => Object.keys(runners).length > 0, "name at least one runner"),
  defaultRunner: z.string().optional(),
  slots: z.number().int().positive().default(4),
  launchDelay: duration.default(1000),
  retry: z
    .strictObject({
      backoff: duration.default(10_000),
      maxBackoff: duration.default(300_000),
    })
    .prefault({}),
  reconcileEvery: duration.default(60_000),
});

export type OperatorConfig = z.infer<typeof operatorConfigSchema>;
