import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import { AppError } from "../shared/app-error.ts";
import { backoffMs } from "../shared/backoff.ts";
import { sleep } from "../shared/sleep.ts";

/** Five pauses are half a minute in all: enough for a network that comes up after the app, or for a GitHub with a hiccup. */
const PAUSES = { firstMs: 1_000, longestMs: 15_000 };
const PAUSE_COUNT = 5;

export interface Persistence {
  readonly clock: Clock;
  readonly log: Log;
  /** Tries for ever where there is nothing else to do. Whoever waits for the app reads in the log why it does not come up. */
  readonly forEver?: boolean;
}

/** Does work that a start needs. Where the failure may pass, it is tried again. */
export async function retryAtStart<T>(
  work: () => Promise<T>,
  { clock, log, forEver = false }: Persistence,
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (err) {
      if (!(err instanceof AppError) || !err.retryable) throw err;
      if (failures > PAUSE_COUNT && !forEver) throw err;
      const pauseMs = backoffMs(failures, PAUSES);
      log.warn({ reason: err.message, err, pauseMs }, "start goes on after a pause");
      await sleep(pauseMs, clock);
    }
  }
}
