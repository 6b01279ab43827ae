import { randomBytes } from "node:crypto";
import type { App } from "../model/app.ts";
import { identity } from "../model/ids.ts";
import type { Repository } from "../model/repository.ts";
import type {
  CheckAnnotation,
  CheckConclusion,
  CheckRun,
  CheckStatus,
  JobStep,
  WorkflowJob,
} from "../model/check.ts";
import { isoSeconds } from "../model/world.ts";
import type { World } from "../model/world.ts";
import { createCheckRun, updateCheckRun } from "./checks.ts";
import { newBot } from "./create-world.ts";

export interface EndedStep {
  readonly name: string;
  readonly conclusion?: CheckConclusion;
  /** These are the step's lines in the log, without timestamps. */
  readonly lines: readonly string[];
}

export interface BegunJob {
  readonly name: string;
  readonly headSha: string;
}

export interface EndedJob extends BegunJob {
  /** It began as this run; otherwise it began and ended unseen. */
  readonly run?: CheckRun;
  readonly steps: readonly EndedStep[];
  readonly annotations?: readonly CheckAnnotation[];
}

/** GitHub Actions has this id and name on github.com. */
const ACTIONS = { id: 15_368, slug: "github-actions", name: "GitHub Actions" } as const;

/** Steps are shorter than a second here: their times, to the second, overlap as they do on GitHub. */
const STEP_MS = 400;

/**
 * Makes a job of GitHub Actions that waits for a runner, or has one.
 * @public
 */
export function beginJob(
  world: World,
  repository: Repository,
  { name, headSha, status = "in_progress" }: BegunJob & { readonly status?: CheckStatus },
): CheckRun {
  const app = actionsApp(world);
  return createCheckRun(world, repository, { name, headSha, status, actor: app.bot, app });
}

/**
 * Makes a job of GitHub Actions that has ended. Its check run has no words of its own, as on GitHub.
 * @public
 */
export function endJob(world: World, repository: Repository, ended: EndedJob): WorkflowJob {
  const app = actionsApp(world);
  const { name, headSha } = ended;
  const isBad = ended.steps.some(({ conclusion }) => conclusion === "failure");
  const startedAtMs = world.now() - ended.steps.length * STEP_MS;
  const run =
    ended.run ??
    createCheckRun(world, repository, { name, headSha, status: "queued", actor: app.bot, app });
  updateCheckRun(world, run, {
    conclusion: isBad ? "failure" : "success",
    startedAt: isoSeconds(startedAtMs),
    annotations: ended.annotations ?? [],
    actor: app.bot,
  });
  const timed = ended.steps.map((step, at) => ({ step, at: startedAtMs + at * STEP_MS }));
  const job: WorkflowJob = {
    run,
    workflowRunId: identity(world, "WFR").id,
    workflowName: "CI",
    steps: timed.map(({ step, at }, index): JobStep => ({
      number: index + 1,
      name: step.name,
      conclusion: step.conclusion ?? "success",
      startedAt: isoSeconds(at),
      completedAt: isoSeconds(at + STEP_MS),
    })),
    log: `\uFEFF${timed.flatMap(({ step, at }) => step.lines.map((line) => stamped(at, line))).join("")}`,
  };
  world.jobs.set(run.id, job);
  return job;
}

/** Has each line begin with a time of seven decimals. */
function stamped(atMs: number, line: string): string {
  return `${new Date(atMs).toISOString().replace("Z", "1234Z")} ${line}\n`;
}

const LINK_LIFETIME_MS = 60_000;

/** Makes an address that needs no token and opens the job's log for a minute. */
export function linkToLog(world: World, job: WorkflowJob): string {
  const key = randomBytes(24).toString("hex");
  world.logLinks.set(key, { log: job.log, expiresAt: world.now() + LINK_LIFETIME_MS });
  // The log is kept by another host on GitHub, too: clients do not send their token along.
  return `${world.url.replace("127.0.0.1", "localhost")}/job-logs/${key}`;
}

function actionsApp(world: World): App {
  const present = world.checkSuites.find(({ app }) => app.id === ACTIONS.id);
  if (present !== undefined) return present.app;
  const createdAt = isoSeconds(world.now());
  return {
    ...ACTIONS,
    nodeId: identity(world, "A").nodeId,
    owner: world.app.owner,
    bot: newBot(identity(world, "BOT"), ACTIONS.slug, createdAt),
    publicKey: "",
    webhookSecret: "",
    webhookUrl: null,
    permissions: { metadata: "read", checks: "write" },
    events: [],
    createdAt,
  };
}
