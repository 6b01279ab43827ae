import { setImmediate as flush } from "node:timers/promises";
import { PassMemory } from "../../../src/app/pass.ts";
import { NO_DEPENDENCIES } from "../../../src/board/phases.ts";
import { tick as hear } from "../../../src/commands/tick.ts";
import type { RepoReading } from "../../../src/domain/board.ts";
import { runId, taskIdOf } from "../../../src/domain/ids.ts";
import type { Sha } from "../../../src/domain/ids.ts";
import type { Signal } from "../../../src/domain/signal.ts";
import { newTrain } from "../../../src/domain/train.ts";
import type { RepoContext } from "../../../src/ports/deps.ts";
import type { Seen } from "../../../src/scheduler/snapshot.ts";
import { AppError } from "../../../src/shared/app-error.ts";
import { tick } from "../../../src/train/tick.ts";
import { aConfig } from "../../support/a-config.ts";
import { REPO, aRun, aSignal, aSpec, aTask } from "../../support/builders.ts";
import type { Files } from "./history.ts";
import { createInstance } from "./instance.ts";
import { Invariants } from "./invariants.ts";
import { ModelClock } from "./model-clock.ts";
import { ModelHub } from "./model-hub.ts";
import { ModelPeople } from "./model-people.ts";
import { ModelStore } from "./model-store.ts";
import { Objects } from "./objects.ts";
import type { ChangePlan, Setting } from "./scenario.ts";
import type { People, Process, Stage, Ways } from "./stage.ts";
import { Turns } from "./turns.ts";

export const BASE = "main";

/** A repository with changes for its train, and the processes that see to them. Nothing happens by itself here. */
export class Scene implements Stage {
  readonly setting: Setting;
  readonly turns = new Turns();
  readonly clock = new ModelClock();
  readonly objects = new Objects();
  readonly hub: ModelHub;
  readonly store: ModelStore;
  readonly invariants: Invariants;
  readonly processes: Process[] = [];
  readonly people: People;
  /** Whatever the app let through that is no error of the world. */
  readonly bugs: unknown[] = [];
  readonly #ways: Ways;
  readonly #context: RepoContext;
  #born = 0;
  #said = 0;

  constructor(setting: Setting, ways: Ways) {
    this.setting = setting;
    this.#ways = ways;
    this.hub = new ModelHub(this.objects, BASE, { "README.md": "read me" });
    this.people = new ModelPeople(this.hub);
    this.store = new ModelStore(() => this.clock.now);
    const { method, landing, batch, window } = setting;
    const train = { landing, batch, window };
    this.#context = {
      repo: REPO,
      base: BASE,
      config: aConfig({ verify: "check", merge: method, train }),
    };
    this.invariants = new Invariants({
      hub: this.hub,
      store: this.store,
      byApi: landing === "merge-api",
      isGreen: (tree) => this.isGreen(tree),
    });
    setting.changes.forEach((change, at) => this.#open(change, at));
    if (setting.stacked) this.#stack();
    const first = newTrain(REPO, BASE, this.clock.now);
    this.store.record(REPO, [{ kind: "train-added", train: first }]);
    this.invariants.note();
  }

  isGreen(tree: Sha): boolean {
    return areGreen(this.objects.files(tree));
  }

  start(): Process {
    this.#born += 1;
    const name = `process-${this.#born}`;
    const { verify = (_: Sha, isGreen: boolean) => isGreen } = this.#ways;
    const shared = {
      turns: this.turns,
      hub: this.hub,
      store: this.store,
      clock: this.clock,
      random: this.#ways.random,
      isGreen: (tree: Sha) => verify(tree, this.isGreen(tree)),
      everyCall: this.#ways.everyCall ?? false,
    };
    const process = { name, deps: createInstance(name, shared), ticking: false };
    this.processes.push(process);
    return process;
  }

  kill(process: Process): void {
    this.processes.splice(this.processes.indexOf(process), 1);
    this.turns.kill(process.name);
  }

  read(): RepoReading {
    const reading = this.hub.reading(this.clock.now);
    this.clock.pass(1);
    return reading;
  }

  tick(process: Process, reading: RepoReading): void {
    if (process.ticking) return;
    process.ticking = true;
    tick(this.#context, { reading, stored: storedFor(process) }, process.deps)
      .catch((error: unknown) => this.keepBug(error))
      .finally(() => {
        process.ticking = false;
      });
  }

  async say(words: string): Promise<void> {
    this.#said += 1;
    // Two words of one moment have no order.
    this.clock.pass(1);
    const signal = said(words, this.#said);
    const seen = seenWith(this.hub.reading(this.clock.now));
    const [process] = this.processes;
    if (process === undefined) return;
    const stored = storedFor(process);
    await hear(this.#context, { signals: [signal], seen, stored }, process.deps);
  }

  keepBug(error: unknown): void {
    if (!(error instanceof AppError)) this.bugs.push(error);
  }

  async settled(): Promise<void> {
    await flush();
  }

  check(): void {
    if (this.bugs.length > 0) throw this.bugs[0];
    this.invariants.checkEnd();
  }

  #open(change: ChangePlan, at: number): void {
    const issue = at + 1;
    const branch = `wavetrain/${issue}`;
    const path = `src/file-${change.file}`;
    const files = { "README.md": "read me", [path]: `${change.nature} ${issue}` };
    const head = this.objects.write(files, [this.hub.tip], `change ${issue}`);
    const pull = this.hub.openPull(10 + issue, branch, head);
    if (this.#ways.approves?.() !== false) this.hub.approve(pull);
    const { dependsOn, priority } = change;
    const earlier =
      dependsOn !== undefined && dependsOn < at ? [taskIdOf(REPO, dependsOn + 1)] : [];
    const task = aTask({
      issue,
      branch,
      pull: pull.number,
      state: "review",
      changedAt: this.clock.now,
      spec: aSpec({ dependsOn: earlier, priority }),
    });
    const id = runId(`run-${issue}`);
    const outcome = { kind: "succeeded", head, files: [path], outside: [], notes: "" } as const;
    this.store.record(REPO, [
      { kind: "task-added", task },
      { kind: "run-queued", run: aRun({ id, task: task.id, branch }) },
      { kind: "run-finished", run: id, outcome, at: this.clock.now },
    ]);
  }

  /** Someone's own pull request on top of the first one. */
  #stack(): void {
    const [first] = this.hub.pulls.values();
    if (first === undefined) return;
    const head = this.objects.write({ "stacked/file": "good" }, [first.head], "stacked");
    this.hub.openPull(90, "stacked", head).base = first.branch;
  }
}

/** Red when a file says so, or when two of a kind meet. */
export function areGreen(files: Files): boolean {
  const texts = Object.values(files);
  const clashes = texts.filter((text) => text.startsWith("clash")).length;
  return !texts.some((text) => text.startsWith("bad")) && clashes < 2;
}

/** What a tick of the process reads of the store. */
export function storedFor({ deps }: Process): PassMemory {
  return new PassMemory(() => deps.store.readRepo(REPO));
}

/** A word of the operator's. */
export function said(words: string, number: number): Signal {
  const subject = { kind: "operator", say: words, issue: undefined } as const;
  return aSignal({ deliveryId: `said-${number}`, subject });
}

export function seenWith(reading: RepoReading): Seen {
  const dependencies = NO_DEPENDENCIES;
  return { reading, wave: [], directories: undefined, dependencies };
}
