import { setImmediate as flush } from "node:timers/promises";
import type { Setting } from "./scenario.ts";
import { Scene } from "./scene.ts";
import { seededRandom } from "./seeded-random.ts";
import type { Process } from "./stage.ts";

/**
 * What happens to the first process at one of its calls: it dies before or after the effect, and starts again; or it does not
 * move for so long that another takes over, and then goes on where it was, as if nothing had happened.
 */
export type Stop = "dies-before" | "dies-after" | "sleeps";

export const STOPS: readonly Stop[] = ["dies-before", "dies-after", "sleeps"];

/** Longer than any lease. */
const LONG_MS = 130_000;
/** More than any train here needs. */
const MOST_ROUNDS = 60;
/** Rounds of ticks in which nothing is left to do, with leases and pauses over in between. */
const IDLE_ROUNDS = 4;

/** One process lands everything in the order of its calls; at the call with this number it is stopped. */
export class StoppedTrain {
  readonly scene: Scene;
  readonly #at: number;
  readonly #stop: Stop;
  readonly #first: Process;
  #sleeper: Process | undefined;
  #calls = 0;

  constructor(setting: Setting, at: number, stop: Stop) {
    this.scene = new Scene(setting, { random: seededRandom(1), everyCall: true });
    this.#at = at;
    this.#stop = stop;
    this.#first = this.scene.start();
  }

  /** How many calls the first process made until it was done or stopped. */
  get calls(): number {
    return this.#calls;
  }

  async run(): Promise<void> {
    await this.#untilIdle();
    await this.#wakeSleeper();
    this.scene.check();
    if (!this.scene.invariants.isAtRest()) throw new Error("it did not come to an end");
  }

  /** Whatever slept goes on with the call that it was about to make, long after its lease. */
  async #wakeSleeper(): Promise<void> {
    if (this.#sleeper === undefined) return;
    this.scene.processes.push(this.#sleeper);
    this.#sleeper = undefined;
    await this.#untilIdle();
  }

  async #untilIdle(): Promise<void> {
    let still = 0;
    for (let round = 0; round < MOST_ROUNDS && !this.#isDone(still); round += 1) {
      const before = this.scene.store.events.length;
      await this.#tickAll(still === 0 ? 1100 : LONG_MS);
      still = this.scene.store.events.length === before ? still + 1 : 0;
    }
  }

  #isDone(still: number): boolean {
    return still >= IDLE_ROUNDS && this.scene.invariants.isAtRest();
  }

  async #tickAll(laterMs: number): Promise<void> {
    for (const process of this.scene.processes) this.scene.tick(process, this.scene.read());
    await this.#settle();
    while (this.#go()) await this.#settle();
    this.scene.clock.pass(laterMs);
    await this.#settle();
  }

  async #settle(): Promise<void> {
    await flush();
    this.scene.invariants.note();
  }

  /** Lets the next call that may go, go. Whether there was one. */
  #go(): boolean {
    const { turns } = this.scene;
    const at = turns.waiting.findIndex(({ who }) => who !== this.#sleeper?.name);
    const next = turns.waiting[at];
    if (next === undefined) return false;
    if (next.who === this.#first.name && this.#at === this.#calls++) this.#stopAt(at);
    else turns.release(at, "works");
    return true;
  }

  #stopAt(at: number): void {
    const { scene } = this;
    if (this.#stop === "sleeps") {
      this.#sleeper = this.#first;
      scene.processes.splice(scene.processes.indexOf(this.#first), 1);
      scene.clock.pass(LONG_MS);
    } else {
      if (this.#stop === "dies-after") scene.turns.release(at, "dies-after");
      scene.kill(this.#first);
    }
    scene.start();
  }
}
