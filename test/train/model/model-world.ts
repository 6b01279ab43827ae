import { setImmediate as flush } from "node:timers/promises";
import type { RepoReading } from "../../../src/domain/board.ts";
import type { Sha } from "../../../src/domain/ids.ts";
import type { ModelPull } from "./model-hub.ts";
import type { Scenario } from "./scenario.ts";
import { BASE, Scene } from "./scene.ts";
import type { Process } from "./scene.ts";
import { seededRandom } from "./seeded-random.ts";

const STEPS = 250;
/** More than any train needs once all is well. */
const CALM_TICKS = 120;

/** A train with everything that happens to it: two processes that compete, people, a GitHub that fails, and time. */
export class ModelWorld {
  readonly scenario: Scenario;
  readonly scene: Scene;
  readonly #random: () => number;
  readonly #flaked = new Set<Sha>();
  #reading: RepoReading | undefined;
  #external = 0;

  constructor(scenario: Scenario) {
    this.scenario = scenario;
    this.#random = seededRandom(scenario.seed);
    this.scene = new Scene(scenario, {
      random: this.#random,
      verify: (tree) => this.#verify(tree),
      approves: () => this.#random() < 0.8,
    });
    this.scene.start();
    this.scene.start();
  }

  /** A flaky verification fails at most once for a tree. */
  #verify(tree: Sha): boolean {
    const flakes = this.#random() * 100 < this.scenario.flakes && !this.#flaked.has(tree);
    if (flakes) this.#flaked.add(tree);
    return !flakes && this.scene.isGreen(tree);
  }

  async run(): Promise<void> {
    for (let step = 0; step < STEPS; step += 1) {
      this.#act();
      await flush();
      this.scene.invariants.note();
    }
    await this.#calmDown();
    this.scene.check();
  }

  #act(): void {
    const { turns, clock, processes } = this.scene;
    const dice = this.#random() * 100;
    const { trouble, bustle } = this.scenario;
    if (dice < trouble / 10) this.#kill();
    else if (dice < trouble / 10 + bustle) this.#others();
    else if (this.#random() < 0.25) this.#tick(pick(processes, this.#random));
    else if (turns.waiting.length > 0) this.#release(trouble);
    else clock.pass(this.#random() < 0.1 ? 130_000 : 1100);
  }

  #release(trouble: number): void {
    const { turns } = this.scene;
    const at = Math.floor(this.#random() * turns.waiting.length);
    const fails = this.#random() * 100 < trouble;
    const fate = this.#random() < 0.5 ? "fails-before" : "fails-after";
    turns.release(at, fails ? fate : "works");
  }

  #kill(): void {
    const victim = pick(this.scene.processes, this.#random);
    if (victim !== undefined) this.scene.kill(victim);
    this.scene.start();
  }

  #tick(process: Process | undefined): void {
    if (process === undefined || process.ticking) return;
    // A tick for news of our own uses the reading that is there.
    const old = !this.scene.turns.calm && this.#random() < 0.2 ? this.#reading : undefined;
    this.#reading = old ?? this.scene.read();
    this.scene.tick(process, this.#reading);
  }

  /** People, and whoever else may write to the repository. */
  #others(): void {
    const own = [...this.scene.hub.pulls.values()].filter(({ base }) => base === BASE);
    const pull = pick(own, this.#random);
    if (pull === undefined) return;
    const deeds = [
      () => this.#pushToBase("good"),
      () => this.#pushToBase("good"),
      () => this.#pushToBase(this.#random() < 0.3 ? "bad" : "good"),
      () => this.#rewindBase(),
      () => this.#pushToHead(pull),
      () => this.scene.hub.approve(pull),
      () => this.scene.hub.approve(pull),
      () => (pull.approvedHead = undefined),
      () => (pull.draft = true),
      () => (pull.draft = false),
      () => this.#close(pull),
      () => this.#control(),
      () => this.scene.clock.pass(150_000),
    ];
    pick(deeds, this.#random)?.();
  }

  #close(pull: ModelPull): void {
    if (pull.state === "open" && this.#random() < 0.3) pull.state = "closed";
  }

  #pushToBase(text: "good" | "bad"): void {
    this.#external += 1;
    const { hub, objects } = this.scene;
    const files = { ...objects.files(objects.commitOf(hub.tip).tree) };
    // Whoever pushes also repairs: a red base does not last for ever.
    for (const [path, was] of Object.entries(files)) {
      if (path.startsWith("others/") && was.startsWith("bad")) files[path] = "good again";
    }
    files[`others/${this.#external}`] = text;
    const commit = objects.write(files, [hub.tip], `other ${this.#external}`);
    hub.pushed.add(commit);
    hub.move(BASE, commit, "others");
  }

  #rewindBase(): void {
    const { hub, objects } = this.scene;
    const [, before] = objects.history(hub.tip);
    if (before !== undefined && this.#random() < 0.3) hub.move(BASE, before, "others");
  }

  #pushToHead(pull: ModelPull): void {
    const { hub, objects } = this.scene;
    if (pull.state !== "open" || !hub.refs.has(pull.branch)) return;
    this.#external += 1;
    const tree = objects.commitOf(pull.head).tree;
    const files = { ...objects.files(tree), [`late/${this.#external}`]: "good" };
    const commit = objects.write(files, [pull.head], `late ${this.#external}`);
    hub.move(pull.branch, commit, "others");
  }

  /** Whoever looks resumes in the end; a breach would not be theirs to resume. */
  #isStanding(): boolean {
    const [train] = this.scene.store.memory().trains;
    return this.scene.store.pauseOf() !== undefined || train?.cause === "permission";
  }

  #control(): void {
    const words = this.#random() < 0.5 ? "pause look" : "resume";
    this.scene.say(words).catch((error: unknown) => this.scene.keepBug(error));
  }

  /** Nothing fails any more and nobody interferes: everything comes to an end that says why. */
  async #calmDown(): Promise<void> {
    const { turns, clock, processes, invariants } = this.scene;
    turns.calm = true;
    turns.releaseAll();
    this.#pushToBase("good");
    for (let ticks = 0; ticks < CALM_TICKS; ticks += 1) {
      if (this.#isStanding()) await this.scene.say("resume");
      for (const process of processes) this.#tick(process);
      clock.pass(ticks < 3 ? 130_000 : 6_000);
      for (let turn = 0; turn < 3; turn += 1) await flush();
      if (ticks > 5 && invariants.isAtRest()) return;
    }
  }
}

function pick<T>(values: readonly T[], random: () => number): T | undefined {
  return values[Math.floor(random() * values.length)];
}
