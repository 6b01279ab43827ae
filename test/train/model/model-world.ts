import type { RepoReading } from "../../../src/domain/board.ts";
import type { Sha } from "../../../src/domain/ids.ts";
import type { Scenario } from "./scenario.ts";
import { seededRandom } from "./seeded-random.ts";
import type { Process, Stage, Ways } from "./stage.ts";

/** More than any train needs once all is well. */
const CALM_TICKS = 120;

/** All luck of a scenario comes from its seed: a schedule that failed can be run again. */
export function waysOf({ seed, flakes }: Scenario): Ways {
  const random = seededRandom(seed);
  const flaked = new Set<Sha>();
  return {
    random,
    /** A flaky verification fails at most once for a tree. */
    verify: (tree, isGreen) => {
      const fails = random() * 100 < flakes && !flaked.has(tree);
      if (fails) flaked.add(tree);
      return !fails && isGreen;
    },
    approves: () => random() < 0.8,
  };
}

/** A train with everything that happens to it: two processes that compete, people, a GitHub that fails, and time. */
export class ModelWorld {
  readonly #scenario: Scenario;
  readonly #stage: Stage;
  readonly #random: () => number;
  #reading: RepoReading | undefined;

  constructor(scenario: Scenario, stage: Stage, random: () => number) {
    this.#scenario = scenario;
    this.#stage = stage;
    this.#random = random;
    stage.start();
    stage.start();
  }

  async run(steps: number): Promise<void> {
    for (let step = 0; step < steps; step += 1) {
      await this.#act();
      await this.#stage.settled();
      this.#stage.invariants.note();
    }
    await this.#calmDown();
    await this.#stage.check();
  }

  async #act(): Promise<void> {
    const { turns, clock, processes } = this.#stage;
    const dice = this.#random() * 100;
    const { trouble, bustle } = this.#scenario;
    if (dice < trouble / 10) this.#kill();
    else if (dice < trouble / 10 + bustle) await this.#others();
    else if (this.#random() < 0.25) await this.#tick(pick(processes, this.#random));
    else if (turns.waiting.length > 0) this.#release(trouble);
    else clock.pass(this.#random() < 0.1 ? 130_000 : 1100);
  }

  #release(trouble: number): void {
    const { turns } = this.#stage;
    const at = Math.floor(this.#random() * turns.waiting.length);
    const fails = this.#random() * 100 < trouble;
    const fate = this.#random() < 0.5 ? "fails-before" : "fails-after";
    turns.release(at, fails ? fate : "works");
  }

  #kill(): void {
    const victim = pick(this.#stage.processes, this.#random);
    if (victim !== undefined) this.#stage.kill(victim);
    this.#stage.start();
  }

  async #tick(process: Process | undefined): Promise<void> {
    if (process === undefined || process.ticking) return;
    // A tick for news of our own uses the reading that is there.
    const old = !this.#stage.turns.calm && this.#random() < 0.2 ? this.#reading : undefined;
    this.#reading = old ?? (await this.#stage.read());
    this.#stage.tick(process, this.#reading);
  }

  /** People, and whoever else may write to the repository. */
  async #others(): Promise<void> {
    const { people, hub, clock } = this.#stage;
    const own = [...hub.pulls.values()].filter(({ base }) => base === hub.base);
    const pull = pick(own, this.#random);
    if (pull === undefined) return;
    const deeds = [
      () => people.pushToBase("good"),
      () => people.pushToBase("good"),
      () => people.pushToBase(this.#random() < 0.3 ? "bad" : "good"),
      () => this.#sometimes(() => people.rewindBase()),
      () => people.pushToHead(pull),
      () => people.approve(pull),
      () => people.approve(pull),
      () => people.withdraw(pull),
      () => people.setDraft(pull, true),
      () => people.setDraft(pull, false),
      () => this.#sometimes(() => people.close(pull)),
      () => this.#control(),
      () => clock.pass(150_000),
    ];
    await pick(deeds, this.#random)?.();
  }

  #sometimes(deed: () => void | Promise<void>): void | Promise<void> {
    return this.#random() < 0.3 ? deed() : undefined;
  }

  #control(): void {
    const words = this.#random() < 0.5 ? "pause look" : "resume";
    this.#stage.say(words).catch((error: unknown) => this.#stage.keepBug(error));
  }

  /** Whoever looks resumes in the end; a breach would not be theirs to resume. */
  #isStanding(): boolean {
    const { store } = this.#stage;
    return store.pauseOf() !== undefined || store.memory().trains[0]?.cause === "permission";
  }

  /** Nothing fails any more and nobody interferes: everything comes to an end that says why. */
  async #calmDown(): Promise<void> {
    const { turns, clock, processes, invariants, people } = this.#stage;
    turns.calm = true;
    turns.releaseAll();
    await this.#stage.settled();
    await people.pushToBase("good");
    for (let ticks = 0; ticks < CALM_TICKS; ticks += 1) {
      if (this.#isStanding()) await this.#stage.say("resume");
      for (const process of processes) await this.#tick(process);
      clock.pass(ticks < 3 ? 130_000 : 6_000);
      for (let turn = 0; turn < 3; turn += 1) await this.#stage.settled();
      if (ticks > 5 && invariants.isAtRest()) return;
    }
  }
}

function pick<T>(values: readonly T[], random: () => number): T | undefined {
  return values[Math.floor(random() * values.length)];
}
