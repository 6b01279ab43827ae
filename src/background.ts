import type { Background, Deps, RepoContext } from "./deps.ts";
import type { RunId, Sha, TaskId } from "./domain/ids.ts";
import type { Run, StopOutcome } from "./domain/run.ts";
import type { Task } from "./domain/task.ts";
import type { RepoMemory } from "./ports/store.ts";
import { historyOf } from "./runner/history.ts";
import { runTask } from "./runner/run-task.ts";
import { AppError } from "./shared/app-error.ts";
import type { Verification } from "./train/verification.ts";
import { commitOf } from "./train/verification.ts";
import { verify } from "./train/verify.ts";

interface Activity {
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  readonly run: Run | undefined;
}

interface Subject {
  readonly key: RunId | Sha;
  /** What it is about; undefined when that is more than one task. */
  readonly task: TaskId | undefined;
  readonly run: Run | undefined;
}

interface Found {
  readonly task: Task | undefined;
  readonly memory: RepoMemory;
}

/** Runs and verifications under way in this process. Starting one that is under way is harmless. */
export class Activities implements Background {
  readonly #deps: () => Deps;
  readonly #active = new Map<RunId | Sha, Activity>();

  constructor(deps: () => Deps) {
    this.#deps = deps;
  }

  running(): readonly Run[] {
    return [...this.#active.values()].flatMap(({ run }) => run ?? []);
  }

  startRun(context: RepoContext, run: Run): void {
    this.#start({ key: run.id, task: run.task, run }, context, async ({ task, memory }, signal) => {
      if (task === undefined) return;
      const history = historyOf(task, memory);
      await runTask({ context, run, task, signal, history }, this.#deps());
    });
  }

  startVerification(context: RepoContext, verification: Verification): void {
    const subject = { key: commitOf(verification), task: undefined, run: undefined };
    this.#start(subject, context, (_, signal) =>
      verify({ context, verification, signal }, this.#deps()),
    );
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
  async settled(): Promise<void> {
    while (this.busy) {
      await Promise.all([...this.#active.values()].map(({ ended }) => ended));
    }
  }

  /** Ends everything; what was under way goes back to the queue. */
  async stop(reason: string): Promise<void> {
    const outcome: StopOutcome = { kind: "lost", reason };
    for (const { stop } of this.#active.values()) stop.abort(outcome);
    await this.settled();
  }

  #start(
    subject: Subject,
    context: RepoContext,
    work: (found: Found, signal: AbortSignal) => Promise<void>,
  ): void {
    if (this.#active.has(subject.key)) return;
    const stop = new AbortController();
    const followed = this.#follow(subject, context, (found) => work(found, stop.signal));
    const ended = followed
      .then((end) => (end === "failed" ? this.#pause(stop.signal) : undefined))
      .finally(() => {
        this.#active.delete(subject.key);
        this.#deps().wake(context.repo, "we-changed");
      });
    this.#active.set(subject.key, { stop, ended, run: subject.run });
  }

  /** Work that failed for no reason that we know would be started again at once: until then it counts as under way. */
  #pause(signal: AbortSignal): Promise<void> {
    const { clock, operator } = this.#deps();
    return new Promise((resolve) => {
      const cancel = clock.after(signal.aborted ? 0 : operator.retry.backoff, resolve);
      signal.addEventListener("abort", () => {
        cancel();
        resolve();
      });
    });
  }

  async #follow(
    subject: Subject,
    { repo }: RepoContext,
    work: (found: Found) => Promise<void>,
  ): Promise<"done" | "failed"> {
    const deps = this.#deps();
    try {
      const memory = await deps.store.readRepo(repo);
      const task = memory.tasks.find((candidate) => candidate.id === subject.task);
      await work({ task, memory });
      return "done";
    } catch (error) {
      // The task moved on while this was under way: the store refused a result that nobody waits for.
      const overtaken = error instanceof AppError && error.code === "store-conflict";
      if (overtaken) deps.log.warn({ repo, task: subject.task, err: error }, "result overtaken");
      else deps.log.error({ repo, task: subject.task, err: error }, "background work failed");
      return overtaken ? "done" : "failed";
    }
  }
}
