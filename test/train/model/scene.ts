import type { Deps, RepoContext } from "../../../src/deps.ts";
import type { RepoReading } from "../../../src/domain/board.ts";
import { runId, taskIdOf } from "../../../src/domain/ids.ts";
import type { Sha } from "../../../src/domain/ids.ts";
import { newTrain } from "../../../src/domain/train.ts";
import { AppError } from "../../../src/shared/app-error.ts";
import { tick as hear } from "../../../src/commands/tick.ts";
import { tick } from "../../../src/train/tick.ts";
import { aConfig } from "../../support/a-config.ts";
import { REPO, aRun, aSignal, aSpec, aTask } from "../../support/builders.ts";
import { createInstance } from "./instance.ts";
import { Invariants } from "./invariants.ts";
import { ModelClock } from "./model-clock.ts";
import { ModelHub } from "./model-hub.ts";
import { ModelStore } from "./model-store.ts";
import { Objects } from "./objects.ts";
import type { ChangePlan, Setting } from "./scenario.ts";
import { Turns } from "./turns.ts";

export const BASE = "main";

export interface Process {
  readonly name: string;
  readonly deps: Deps;
  ticking: boolean;
}

interface Ways {
  readonly random: () => number;
  /** How a verification of this tree goes; what the tree really is unless given. */
  readonly verify?: (tree: Sha) => boolean | Promise<boolean>;
  readonly approves?: () => boolean;
  readonly everyCall?: boolean;
}

/** A repository with changes for its train, and the processes that see to them. Nothing happens by itself here. */
export class Scene {
  readonly setting: Setting;
  readonly turns = new Turns();
  readonly clock = new ModelClock();
  readonly objects = new Objects();
  readonly hub: ModelHub;
  readonly store: ModelStore;
  readonly invariants: Invariants;
  readonly processes: Process[] = [];
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
    this.store = new ModelStore(() => this.clock.now);
    const { method, landing, batch, window } = setting;
    const train = { landing, batch, window };
    this.#context = {
      ...{ repo: REPO, base: BASE },
      config: aConfig({ verify: "check", merge: method, train }),
    };
    this.invariants = new Invariants({
      ...{ hub: this.hub, store: this.store, byApi: landing === "merge-api" },
      isGreen: (tree) => this.isGreen(tree),
    });
    setting.changes.forEach((change, at) => this.#open(change, at));
    if (setting.stacked) this.#stack();
    const first = { ...newTrain(REPO, BASE, this.clock.now), size: batch };
    this.store.record(REPO, [{ kind: "train-added", train: first }]);
    this.invariants.note();
  }

  /** Red when a file says so, or when two of a kind meet. */
  isGreen(tree: Sha): boolean {
    const texts = Object.values(this.objects.files(tree));
    const clashes = texts.filter((text) => text.startsWith("clash")).length;
    return !texts.some((text) => text.startsWith("bad")) && clashes < 2;
  }

  start(): Process {
    this.#born += 1;
    const name = `process-${this.#born}`;
    const shared = {
      ...{ turns: this.turns, hub: this.hub, store: this.store, clock: this.clock },
      random: this.#ways.random,
      isGreen: this.#ways.verify ?? ((tree: Sha) => this.isGreen(tree)),
      everyCall: this.#ways.everyCall ?? false,
    };
    const process = { name, deps: createInstance(name, shared), ticking: false };
    this.processes.push(process);
    return process;
  }

  /** As by `kill -9`. */
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
    tick(this.#context, reading, process.deps)
      .catch((error: unknown) => this.keepBug(error))
      .finally(() => {
        process.ticking = false;
      });
  }

  /** What someone says to the app, and the app hears in this process. */
  async say(words: string): Promise<void> {
    this.#said += 1;
    // Two words of one moment have no order.
    this.clock.pass(1);
    const signal = aSignal({
      deliveryId: `said-${this.#said}`,
      subject: { kind: "operator", say: words, issue: undefined },
    });
    const reading = this.hub.reading(this.clock.now);
    const [process] = this.processes;
    const nothing = { wave: [], directories: undefined, rework: new Map(), verdicts: new Map() };
    const seen = { reading, ...nothing };
    if (process !== undefined) await hear(this.#context, { signals: [signal], seen }, process.deps);
  }

  keepBug(error: unknown): void {
    if (!(error instanceof AppError)) this.bugs.push(error);
  }

  /** Throws what went wrong, and what is not as it should be now that all is done. */
  check(): void {
    if (this.bugs.length > 0) throw this.bugs[0];
    this.invariants.checkEnd();
  }

  #open(change: ChangePlan, at: number): void {
    const issue = at + 1;
    const branch = `wavetrain/${issue}`;
    const path = `dir-${change.file}/file`;
    const files = { "README.md": "read me", [path]: `${change.nature} ${issue}` };
    const head = this.objects.write(files, [this.hub.tip], `change ${issue}`);
    const pull = this.hub.openPull(10 + issue, branch, head);
    if (this.#ways.approves?.() !== false) this.hub.approve(pull);
    const { dependsOn, priority } = change;
    const earlier =
      dependsOn !== undefined && dependsOn < at ? [taskIdOf(REPO, dependsOn + 1)] : [];
    const task = aTask({
      ...{ issue, branch, pull: pull.number, state: "review", changedAt: this.clock.now },
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
