import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Whereabouts } from "../../domain/story/reason-of.ts";
import type { Backlog } from "../../planner/waves/backlog.ts";
import { examineBase } from "../trial/check-base.ts";
import { dataDirOf } from "../trial/operator-settings.ts";
import { removeApp } from "../trial/remove-app.ts";
import { AUTHOR } from "../trial/stage.ts";
import type { TrialStart } from "../trial/start-lines.ts";
import type { TryOptions } from "./input/options.ts";
import { Ledger } from "./ledger.ts";
import { idsOf, namesOf, outcomeOf } from "./outcome.ts";
import type { Ending, TryOutcome } from "./outcome.ts";
import { hasFailedRun } from "./result.ts";
import { approveEverything, setTryStage } from "./stage.ts";
import type { Stage } from "./stage.ts";
import { withNames } from "./view.ts";
import type { TaskView } from "./view.ts";

export interface TryProgress {
  /** The key is the task's id in the file; the value is undefined until the app has seen its card. */
  readonly tasks: ReadonlyMap<string, TaskView | undefined>;
  readonly elapsedMs: number;
  readonly now: number;
}

const POLL_EVERY_MS = 100;
/** A slot that came free is filled long before this time is over. */
const STUCK_AFTER_MS = 3_000;
/** A task in one of these states goes nowhere by itself. */
const RESTING: ReadonlySet<Whereabouts> = new Set(["landed", "failed", "cancelled", "blocked"]);

interface TryHooks {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  /** The key is the task's id in the file. */
  readonly waves: ReadonlyMap<string, number>;
  /** It holds the same tasks as the planner sees them. */
  readonly backlog: Backlog;
  readonly signal: AbortSignal;
  /** It is called once, when the board can be looked at. */
  started(stage: TrialStart): void;
  /** It hears how the check of the base goes. */
  checksBase(words: string, elapsedMs: number): void;
  basePassed(words: string): void;
  progress(progress: TryProgress): void;
  /** It is called once if the trial goes on although all is at rest. */
  stays(boardUrl: string): void;
}

/** Plays the whole job on a GitHub of our own: opens issues, moves their cards to Ready, waits for the end. */
export async function runTry(options: TryOptions, hooks: TryHooks): Promise<TryOutcome> {
  const folder = await mkdtemp(join(tmpdir(), "wavetrain-try-"));
  try {
    const { environment, log } = hooks;
    const stage = await setTryStage({ options, folder, environment, log });
    return await playOn(stage, hooks, { options, folder });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

interface Trial {
  readonly options: TryOptions;
  readonly folder: string;
}

async function playOn(stage: Stage, hooks: TryHooks, trial: Trial): Promise<TryOutcome> {
  const { options, folder } = trial;
  let keepsLogs = false;
  try {
    if (options.approve === "auto") approveEverything(stage.github);
    const { differences, app, github } = stage;
    hooks.started({ boardUrl: github.pagesUrl, sandbox: app.sandbox, differences });
    const base = await examineBase(stage, { ...trial, ...hooks });
    const startedAt = Date.now();
    const ledger = new Ledger();
    const { waves, backlog } = hooks;
    const ending = { base, stage, ledger, options, waves, backlog, startedAt, folder };
    if (base !== undefined) return outcomeOf({ ...ending, end: "red-base" });
    if (hooks.signal.aborted) return outcomeOf({ ...ending, end: "interrupted" });
    for (const issue of stage.issues.values()) github.as(AUTHOR).moveCard(issue, "Ready");
    const outcome = outcomeOf({ ...ending, end: await follow(ending, hooks) });
    keepsLogs = outcome.result.tasks.some(hasFailedRun);
    return outcome;
  } finally {
    await stage.close();
    if (!options.keep) await removeApp(dataDirOf(trial), keepsLogs);
  }
}

type Followed = Omit<Ending, "end">;

/** Reads the event log until nothing moves any more, or somebody ends it. */
async function follow(ending: Followed, hooks: TryHooks): Promise<"at-rest" | "interrupted"> {
  const { stage, ledger, options } = ending;
  const tail = new LogTail(stage, ledger);
  let stays = false;
  while (!hooks.signal.aborted) {
    await tail.read();
    const tasks = viewsOf(ending);
    const now = Date.now();
    hooks.progress({ tasks, elapsedMs: now - ending.startedAt, now });
    const rests = isAtRest(tasks);
    if (!options.stay && (rests || tail.isStuck(now))) {
      await waitForLastReports(stage);
      return "at-rest";
    }
    if (rests && !stays) hooks.stays(stage.github.pagesUrl);
    stays ||= rests;
    await sleep(POLL_EVERY_MS);
  }
  return isAtRest(viewsOf(ending)) ? "at-rest" : "interrupted";
}

/** It brings the ledger up to what the app has written down. */
class LogTail {
  readonly #stage: Pick<Stage, "app">;
  readonly #ledger: Ledger;
  #last = 0;
  #stuckSince: number | undefined;

  constructor(stage: Pick<Stage, "app">, ledger: Ledger) {
    this.#stage = stage;
    this.#ledger = ledger;
  }

  async read(): Promise<void> {
    for (const { change, seq } of await this.#stage.app.store.events(this.#last, 1000)) {
      this.#ledger.add(change);
      this.#last = seq;
    }
  }

  isStuck(now: number): boolean {
    this.#stuckSince = this.#ledger.isStuck ? (this.#stuckSince ?? now) : undefined;
    return this.#stuckSince !== undefined && now - this.#stuckSince > STUCK_AFTER_MS;
  }
}

function isAtRest(tasks: TryProgress["tasks"]): boolean {
  return [...tasks.values()].every((view) => view !== undefined && RESTING.has(view.whereabouts));
}

/** Reports on cards and pull requests still go out after the last task has landed. */
async function waitForLastReports({ app, github }: Stage): Promise<void> {
  await app.idle();
  await github.deliverySettled();
}

function viewsOf({ stage, ledger, options }: Followed): TryProgress["tasks"] {
  const names = namesOf(stage, options);
  return new Map(
    [...idsOf(stage, ledger)].map(([taskId, id]) => {
      const view = ledger.viewOf(taskId);
      return [id, view && { ...view, why: withNames(view.why, names) }];
    }),
  );
}
