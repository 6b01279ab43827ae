import { setImmediate as flush } from "node:timers/promises";
import type { Deps, RepoContext } from "../../../src/deps.ts";
import type { RepoReading } from "../../../src/domain/board.ts";
import { runId, taskIdOf } from "../../../src/domain/ids.ts";
import type { Sha } from "../../../src/domain/ids.ts";
import { AppError } from "../../../src/shared/app-error.ts";
import { newTrain } from "../../../src/domain/train.ts";
import { pauseTrain, resumeTrain } from "../../../src/train/control.ts";
import { tick } from "../../../src/train/tick.ts";
import { aConfig } from "../../support/a-config.ts";
import { REPO, aRun, aSpec, aTask } from "../../support/builders.ts";
import { createInstance } from "./instance.ts";
import { Invariants } from "./invariants.ts";
import { ModelClock } from "./model-clock.ts";
import { ModelHub } from "./model-hub.ts";
import type { ModelPull } from "./model-hub.ts";
import { ModelStore } from "./model-store.ts";
import { Objects } from "./objects.ts";
import type { ChangePlan, Scenario } from "./scenario.ts";
import { seededRandom } from "./seeded-random.ts";
import { Turns } from "./turns.ts";

const BASE = "main";
const STEPS = 250;
/** More than any train needs once all is well. */
const CALM_TICKS = 120;

interface Process {
  readonly name: string;
  readonly deps: Deps;
  ticking: boolean;
}

/** A train with everything that happens to it: two processes that compete, people, a GitHub that fails, and time. */
export class ModelWorld {
  readonly scenario: Scenario;
  readonly turns = new Turns();
  readonly clock = new ModelClock();
  readonly objects = new Objects();
  readonly hub: ModelHub;
  readonly store: ModelStore;
  readonly invariants: Invariants;
  readonly bugs: unknown[] = [];
  readonly #random: () => number;
  readonly #context: RepoContext;
  readonly #processes: Process[] = [];
  readonly #flaked = new Set<Sha>();
  #reading: RepoReading | undefined;
  #born = 0;
  #step = 0;
  #external = 0;

  constructor(scenario: Scenario) {
    this.scenario = scenario;
    this.#random = seededRandom(scenario.seed);
    this.hub = new ModelHub(this.objects, BASE, { "README.md": "read me" });
    this.store = new ModelStore(() => this.clock.now);
    const { method, landing, batch, window } = scenario;
    const config = aConfig({
      ...{ verify: "check", merge: method },
      train: { landing, batch, window },
    });
    this.#context = { repo: REPO, base: BASE, config };
    this.invariants = new Invariants(this, (tree) => this.isGreen(tree));
    scenario.changes.forEach((change, at) => this.#open(change, at));
    if (scenario.stacked) this.#stack();
    const train = { ...newTrain(REPO, BASE, this.clock.now), size: scenario.batch };
    this.store.record(REPO, [{ kind: "train-added", train }]);
    this.#start();
    this.#start();
  }

  get step(): number {
    return this.#step;
  }

  /** Red when a file says so, or when two of a kind meet. */
  isGreen(tree: Sha): boolean {
    const texts = Object.values(this.objects.files(tree));
    const clashes = texts.filter((text) => text.startsWith("clash")).length;
    return !texts.some((text) => text.startsWith("bad")) && clashes < 2;
  }

  /** A flaky verification fails at most once for a tree. */
  #verify(tree: Sha): boolean {
    const flakes = this.#random() * 100 < this.scenario.flakes && !this.#flaked.has(tree);
    if (flakes) this.#flaked.add(tree);
    return !flakes && this.isGreen(tree);
  }

  async run(): Promise<void> {
    for (; this.#step < STEPS; this.#step += 1) {
      this.#act();
      await flush();
    }
    await this.#calmDown();
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
    if (this.#random() < 0.8) this.hub.approve(pull);
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

  #start(): void {
    this.#born += 1;
    const name = `process-${this.#born}`;
    const shared = {
      ...{ turns: this.turns, hub: this.hub, store: this.store, clock: this.clock },
      ...{ random: this.#random, isGreen: (tree: Sha) => this.#verify(tree) },
    };
    this.#processes.push({ name, deps: createInstance(name, shared), ticking: false });
  }

  #act(): void {
    const dice = this.#random() * 100;
    const { trouble, bustle } = this.scenario;
    if (dice < trouble / 10) this.#kill();
    else if (dice < trouble / 10 + bustle) this.#others();
    else if (this.#random() < 0.25) this.#tick(pick(this.#processes, this.#random));
    else if (this.turns.waiting.length > 0) this.#release(trouble);
    else this.clock.pass(this.#random() < 0.1 ? 130_000 : 1100);
  }

  #release(trouble: number): void {
    const at = Math.floor(this.#random() * this.turns.waiting.length);
    const fails = this.#random() * 100 < trouble;
    const fate = this.#random() < 0.5 ? "fails-before" : "fails-after";
    this.turns.release(at, fails ? fate : "works");
  }

  #kill(): void {
    const [victim] = this.#processes.splice(this.#random() < 0.5 ? 0 : 1, 1);
    if (victim !== undefined) this.turns.kill(victim.name);
    this.#start();
  }

  #tick(process: Process | undefined): void {
    if (process === undefined || process.ticking) return;
    process.ticking = true;
    this.invariants.tickStarts(process.name, this.#step);
    // A tick for news of our own uses the reading that is there.
    const old = !this.turns.calm && this.#random() < 0.2 ? this.#reading : undefined;
    const reading = old ?? this.hub.reading(this.clock.now);
    this.#reading = reading;
    this.clock.pass(1);
    tick(this.#context, reading, process.deps)
      .catch((error: unknown) => {
        if (!(error instanceof AppError)) this.bugs.push(error);
      })
      .finally(() => {
        process.ticking = false;
      });
  }

  /** People, and whoever else may write to the repository. */
  #others(): void {
    const own = [...this.hub.pulls.values()].filter(({ base }) => base === BASE);
    const pull = pick(own, this.#random);
    if (pull === undefined) return;
    const deeds = [
      () => this.#pushToBase("good"),
      () => this.#pushToBase("good"),
      () => this.#pushToBase(this.#random() < 0.3 ? "bad" : "good"),
      () => this.#rewindBase(),
      () => this.#pushToHead(pull),
      () => this.hub.approve(pull),
      () => this.hub.approve(pull),
      () => this.#unwant(pull, () => (pull.approvedHead = undefined)),
      () => this.#unwant(pull, () => (pull.draft = true)),
      () => (pull.draft = false),
      () => this.#close(pull),
      () => this.#control(),
      () => this.clock.pass(150_000),
    ];
    pick(deeds, this.#random)?.();
  }

  #unwant(pull: ModelPull, deed: () => void): void {
    deed();
    pull.unwantedSince = this.#step;
  }

  #close(pull: ModelPull): void {
    if (pull.state === "open" && this.#random() < 0.3) {
      this.#unwant(pull, () => (pull.state = "closed"));
    }
  }

  #pushToBase(text: "good" | "bad"): void {
    this.#external += 1;
    const files = { ...this.objects.files(this.objects.commitOf(this.hub.tip).tree) };
    // Whoever pushes also repairs: a red base does not last for ever.
    for (const [path, was] of Object.entries(files)) {
      if (path.startsWith("others/") && was.startsWith("bad")) files[path] = "good again";
    }
    files[`others/${this.#external}`] = text;
    const commit = this.objects.write(files, [this.hub.tip], `other ${this.#external}`);
    this.hub.move(BASE, commit, "others");
  }

  #rewindBase(): void {
    const [, before] = this.objects.history(this.hub.tip);
    if (before !== undefined && this.#random() < 0.3) this.hub.move(BASE, before, "others");
  }

  #pushToHead(pull: ModelPull): void {
    if (pull.state !== "open" || !this.hub.refs.has(pull.branch)) return;
    this.#external += 1;
    const tree = this.objects.commitOf(pull.head).tree;
    const files = { ...this.objects.files(tree), [`late/${this.#external}`]: "good" };
    const commit = this.objects.write(files, [pull.head], `late ${this.#external}`);
    this.#unwant(pull, () => this.hub.move(pull.branch, commit, "others"));
  }

  /** Whoever looks resumes in the end; a breach would not be theirs to resume. */
  #isStanding(): boolean {
    const [train] = this.store.memory().trains;
    return train?.state === "paused" || train?.cause === "permission";
  }

  async #resume(): Promise<void> {
    const { deps } = this.#processes[0]!;
    await resumeTrain({ repo: REPO, base: BASE }, "ann", deps).catch(() => undefined);
  }

  #control(): void {
    const process = this.#processes[0];
    if (process === undefined) return;
    const of = { repo: REPO, base: BASE };
    const done =
      this.#random() < 0.5
        ? pauseTrain(of, { by: "ann", reason: "look" }, process.deps)
        : resumeTrain(of, "ann", process.deps);
    done.catch((error: unknown) => {
      if (!(error instanceof AppError)) this.bugs.push(error);
    });
  }

  /** Nothing fails any more and nobody interferes: everything comes to an end that says why. */
  async #calmDown(): Promise<void> {
    this.turns.calm = true;
    this.turns.releaseAll();
    this.#pushToBase("good");
    for (let ticks = 0; ticks < CALM_TICKS; ticks += 1) {
      if (this.#isStanding()) await this.#resume();
      for (const process of this.#processes) this.#tick(process);
      this.clock.pass(ticks < 3 ? 130_000 : 6_000);
      for (let turn = 0; turn < 3; turn += 1) await flush();
      if (ticks > 5 && this.invariants.isAtRest()) return;
    }
  }
}

function pick<T>(values: readonly T[], random: () => number): T | undefined {
  return values[Math.floor(random() * values.length)];
}
