import type { Clock } from "../../ports/clock.ts";
import { AppError } from "../../shared/app-error.ts";
import type { Octokit } from "./connection.ts";
import { isWrite } from "./is-write.ts";
import { GITHUB_WRITES, nextWriteAt, rememberWrite } from "./write-budget.ts";
import type { WriteLimits } from "./write-budget.ts";

/** Longer than this nobody waits in place: the tick comes again, and says what it waits for. */
const LONGEST_WAIT_MS = 10_000;

/** Keeps one installation's writes within what GitHub allows, whoever of us makes them. */
export class WritePace {
  readonly #clock: Clock;
  readonly #limits: WriteLimits;
  readonly #paced = new WeakSet<Octokit>();
  #writes: readonly number[] = [];

  constructor(clock: Clock, limits: WriteLimits = GITHUB_WRITES) {
    this.#clock = clock;
    this.#limits = limits;
  }

  pace(client: Octokit): Octokit {
    if (this.#paced.has(client)) return client;
    this.#paced.add(client);
    client.hook.before("request", async (options) => {
      if (isWrite(options)) await this.#take();
    });
    return client;
  }

  async #take(): Promise<void> {
    const now = this.#clock.now();
    const at = nextWriteAt(this.#writes, now, this.#limits);
    if (at - now > LONGEST_WAIT_MS) {
      const until = new Date(at).toISOString().slice(11, 16);
      const reason = `waits for the budget of writes until ${until} UTC`;
      throw new AppError("github-rate-limited", reason, { retryable: true });
    }
    // Taken before the wait: whoever comes next queues behind it.
    this.#writes = rememberWrite(this.#writes, at);
    if (at > now) await new Promise<void>((go) => void this.#clock.after(at - now, go));
  }
}
