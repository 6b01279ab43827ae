import { clearHomes } from "../cleanup/clear-homes.ts";
import { instant } from "../domain/ids.ts";
import type { Instant, RepoName, RunId, Sha, TaskId } from "../domain/ids.ts";
import { isObjective } from "../domain/objective.ts";
import type { Run, StopOutcome } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import { commitOf } from "../domain/verification.ts";
import type { Verification } from "../domain/verification.ts";
import { keepAlive } from "../loop/heartbeat.ts";
import { decomposeRun } from "../objectives/proposal/decompose-run.ts";
import type { Background, Deps, RepoContext } from "../ports/deps.ts";
import type { RepoMemory } from "../ports/store.ts";
import { OPENING } from "../domain/exploration.ts";
import { historyOf } from "../runner/agent/history.ts";
import type { RunInProgress } from "../runner/agent/run-in-progress.ts";
import {
  contextOfEvaluation,
  evaluationInProgress,
} from "../runner/agent/evaluation-in-progress.ts";
import { openExploration } from "../runner/open-exploration.ts";
import { promote } from "../runner/promote.ts";
import { runTask } from "../runner/run-task.ts";
import { AppError } from "../shared/app-error.ts";
import { sleep } from "../shared/sleep.ts";
import { verify } from "../train/verify/verify.ts";
import type { InheritedRun } from "./recover.ts";

type Key = RunId | Sha | `promotion of ${TaskId}`;

interface Activity {
  readonly repo: RepoName;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  run: Run | undefined;
}

interface Subject {
  readonly key: Key;
  /** Names the task that it is about. It is undefined where there is more than one. */
  readonly task: TaskId | undefined;
  readonly run: Run | undefined;
}

interface Found {
  readonly task: Task | undefined;
  readonly memory: RepoMemory;
}

/** Someone else went on with the task: the store refused a result that nobody waits for. */
const OVERTAKEN: ReadonlySet<string> = new Set(["store-conflict", "store-fenced"]);

/** Runs and verifications under way in this process. Starting one that is under way is harmless. */
export class BackgroundWork implements Background {
  readonly #deps: () => Deps;
  readonly #active = new Map<Key, Activity>();
  readonly #reserved = new Set<Run>();
  #left = false;
  #inherited: readonly InheritedRun[] = [];
  /** How often a promotion was begun in vain; a restart gives it new tries. */
  readonly #unpromoted = new Map<TaskId, number>();

  constructor(deps: () => Deps) {
    this.#deps = deps;
  }

  running(): readonly Run[] {
    const active = [...this.#active.values()].flatMap(({ run }) => run ?? []);
    const reserved = [...this.#reserved].filter(({ id }) => !this.#active.has(id));
    return [...active, ...this.#inherited.map(({ run }) => run), ...reserved];
  }

  reserve(runs: readonly Run[]): () => void {
    for (const run of runs) this.#reserved.add(run);
    return () => {
      for (const run of runs) this.#reserved.delete(run);
    };
  }

  /** They hold their slots from now on, and go on with the first tick of their repository. */
  inherit(runs: readonly InheritedRun[]): void {
    this.#inherited = runs;
  }

  async resumeRuns(context: RepoContext): Promise<void> {
    const mine = this.#inherited.filter(({ repo }) => repo === context.repo);
    this.#inherited = this.#inherited.filter(({ repo }) => repo !== context.repo);
    const { store, clock } = this.#deps();
    for (const { run } of mine) this.startRun(context, run);
    // Nobody spoke for them while the app was down: they must not count as silent when lost runs are looked for next.
    for (const { run } of mine) await store.heartbeat(run.id, clock.now());
  }

  startRun(context: RepoContext, run: Run): void {
    this.#start({ key: run.id, task: run.task, run }, context, async ({ task, memory }, signal) => {
      if (task === undefined) return;
      const evaluation = evaluationInProgress(run, task, memory);
      const progress: RunInProgress = {
        context: contextOfEvaluation(context, evaluation),
        run,
        task,
        signal,
        history: historyOf(task, memory, run),
        baseSince: baseSince(run, memory),
        slotFreed: (at) => {
          this.#freeSlot(run, at);
        },
        proof: { kind: "run", run: run.id, fence: fenceOf(run, memory) },
        evaluation,
        ...(isObjective(task) ? { job: decomposeRun } : {}),
      };
      const opens = run.contender === OPENING;
      await (opens ? openExploration : runTask)(progress, this.#deps());
      // Its evaluations are work for the slots of other servers, too.
      if (opens) this.#deps().wakeOthers(context.repo);
    });
  }

  startVerification(context: RepoContext, verification: Verification): void {
    const subject = { key: commitOf(verification), task: undefined, run: undefined };
    this.#start(subject, context, (_, signal) =>
      verify({ context, verification, signal }, this.#deps()),
    );
  }

  promote(context: RepoContext, id: TaskId): void {
    const subject = { key: `promotion of ${id}`, task: id, run: undefined } as const;
    this.#start(subject, context, async ({ task, memory }, signal) => {
      const failedBefore = this.#unpromoted.get(id) ?? 0;
      this.#unpromoted.set(id, failedBefore + 1);
      if (task !== undefined)
        await promote({ context, task, memory, failedBefore, signal }, this.#deps());
      this.#unpromoted.delete(id);
    });
  }

  stopVerification(commit: Sha): void {
    this.#active.get(commit)?.stop.abort();
  }

  cancelRun(run: RunId, reason: string): void {
    this.#active.get(run)?.stop.abort({ kind: "cancelled", reason } satisfies StopOutcome);
  }

  get busy(): boolean {
    return this.#active.size > 0;
  }

  /** Resolves when nothing is under way. */
  async allEnded(): Promise<void> {
    while (this.busy) {
      await Promise.all([...this.#active.values()].map(({ ended }) => ended));
    }
  }

  /** Ends everything; what was under way goes back to the queue. */
  async stop(reason: string): Promise<void> {
    for (const { stop } of this.#active.values()) stop.abort(interruptedBy(reason));
    await this.allEnded();
  }

  /** Does the same for one repository, without waiting for the end. */
  stopIn(gone: RepoName, reason: string): void {
    for (const { repo, stop } of this.#active.values()) {
      if (repo === gone) stop.abort(interruptedBy(reason));
    }
  }

  /** Resolves when nothing is under way in the repository. */
  async endedIn(repo: RepoName): Promise<void> {
    const here = (): readonly Activity[] =>
      [...this.#active.values()].filter((activity) => activity.repo === repo);
    while (here().length > 0) await Promise.all(here().map(({ ended }) => ended));
  }

  /** The process is about to end. Work under way is taken up at the next start, and its last words here mean nothing. */
  leave(): void {
    this.#left = true;
    this.#deps().processes.leave();
  }

  #start(
    subject: Subject,
    context: RepoContext,
    work: (found: Found, signal: AbortSignal) => Promise<void>,
  ): void {
    if (this.#active.has(subject.key)) return;
    const stop = new AbortController();
    const silence = subject.run && keepAlive(subject.run.id, this.#deps(), () => giveUp(stop));
    const followed = this.#follow(subject, context, (found) => work(found, stop.signal));
    const ended = followed
      .then((end) => (end === "failed" ? this.#pause(stop.signal) : undefined))
      .then(() => this.#clearHomes())
      .finally(() => {
        silence?.();
        this.#active.delete(subject.key);
        this.#deps().wake(context.repo, "we-changed");
      });
    this.#active.set(subject.key, { repo: context.repo, stop, ended, run: subject.run });
  }

  #freeSlot(run: Run, at: Instant): void {
    const activity = this.#active.get(run.id);
    if (activity?.run === undefined || activity.run.agentEndedAt !== undefined) return;
    activity.run = { ...activity.run, agentEndedAt: at };
    this.#deps().finishing.startFirst(DECIDING_MS);
    this.#deps().fillSlots(activity.repo);
  }

  async #clearHomes(): Promise<void> {
    const deps = this.#deps();
    await clearHomes(deps).catch((err: unknown) => {
      deps.log.warn({ err }, "homes left behind");
    });
  }

  /** Work that failed for an unknown reason would be started again at once. It counts as under way until this time. */
  #pause(signal: AbortSignal): Promise<void> {
    const { clock, operator } = this.#deps();
    return sleep(operator.retry.backoff, clock, signal);
  }

  async #follow(
    subject: Subject,
    { repo }: RepoContext,
    work: (found: Found) => Promise<void>,
  ): Promise<"done" | "failed"> {
    const deps = this.#deps();
    try {
      const memory = await deps.store.readRepo(repo);
      const task = memory.tasks.find((one) => one.id === subject.task);
      await work({ task, memory });
      return "done";
    } catch (error) {
      if (this.#left) return "done";
      const overtaken = error instanceof AppError && OVERTAKEN.has(error.code);
      if (overtaken) deps.log.warn({ repo, task: subject.task, err: error }, "result overtaken");
      else deps.log.error({ repo, task: subject.task, err: error }, "background work failed");
      return overtaken ? "done" : "failed";
    }
  }
}

/** By then it is known whether somebody starts in the slot that came free. */
const DECIDING_MS = 50;

/** The number 0 belongs to nobody: a run without claims can write nothing. */
function fenceOf(run: Run, { holds }: RepoMemory): number {
  return holds.find((hold) => hold.task === run.task)?.fence ?? 0;
}

/** The run begins with the base as it is now, because a change that just landed may be the reason why it could start. It may miss what others do in the last moment. */
const BASE_AGE_MS = 10_000;

function baseSince({ queuedAt }: Run, { tasks }: RepoMemory): Instant {
  const landed = tasks.filter(({ state }) => state === "landed");
  return instant(Math.max(queuedAt - BASE_AGE_MS, ...landed.map(({ changedAt }) => changedAt)));
}

function interruptedBy(reason: string): StopOutcome {
  return { kind: "lost", reason, interrupted: true };
}

function giveUp(stop: AbortController): void {
  const reason = "the run was given up while it was at work";
  stop.abort({ kind: "lost", reason } satisfies StopOutcome);
}
