import { setImmediate as flush } from "node:timers/promises";
import type { Sha } from "../../../src/domain/ids.ts";
import type { Setting } from "./scenario.ts";
import { Scene } from "./scene.ts";
import type { Process } from "./stage.ts";

interface UnderWay {
  readonly endsAt: number;
  readonly end: () => void;
}

const MOST_TICKS = 20_000;
const PAUSE_MS = 6000;

/** The real train on a clock of its own: verifying takes its time, everything else none. */
export class SimulatedTrain {
  readonly scene: Scene;
  /** Every tree that was verified, the base's own first. */
  readonly verified: Sha[] = [];
  readonly #verifyMs: number;
  readonly #underWay: UnderWay[] = [];
  readonly #process: Process;
  readonly #startedAt: number;
  /** Called before each tick: what else wakes the train. */
  between: () => void = () => undefined;

  constructor(setting: Setting, verifyMs: number) {
    this.#verifyMs = verifyMs;
    this.scene = new Scene(setting, { random: () => 0.5, verify: (tree) => this.#verify(tree) });
    this.scene.turns.calm = true;
    this.#process = this.scene.start();
    this.#startedAt = this.scene.clock.now;
  }

  get hours(): number {
    return (this.scene.clock.now - this.#startedAt) / 3_600_000;
  }

  async run(): Promise<void> {
    for (let ticks = 0, idle = 0; ticks < MOST_TICKS; ticks += 1) {
      const before = this.scene.store.events.length;
      this.between();
      this.scene.tick(this.#process, this.scene.read());
      await flush();
      idle = this.scene.store.events.length > before ? 0 : idle + 1;
      // A tick that asks for a new reading records nothing, and is followed by one that has it.
      if (idle < 2) continue;
      if (this.#underWay.length > 0) await this.#endNext();
      else if (this.scene.invariants.isAtRest()) break;
      else this.scene.clock.pass(PAUSE_MS);
    }
    this.scene.check();
  }

  async #endNext(): Promise<void> {
    const { clock } = this.scene;
    const at = Math.min(...this.#underWay.map(({ endsAt }) => endsAt));
    clock.pass(Math.max(0, at - clock.now));
    const due = this.#underWay.filter(({ endsAt }) => endsAt <= clock.now);
    this.#underWay.splice(
      0,
      this.#underWay.length,
      ...this.#underWay.filter((one) => !due.includes(one)),
    );
    for (const { end } of due) end();
    await flush();
  }

  #verify(tree: Sha): Promise<boolean> {
    this.verified.push(tree);
    return new Promise((resolve) => {
      const endsAt = this.scene.clock.now + this.#verifyMs;
      this.#underWay.push({ endsAt, end: () => resolve(this.scene.isGreen(tree)) });
    });
  }
}
