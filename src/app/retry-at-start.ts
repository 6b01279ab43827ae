import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import { AppError } from "../shared/app-error.ts";

/** These pauses are half a minute in all: enough for a network that comes up after the app, or for a GitHub with a hiccup. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000];

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
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (err) {
      const pauseMs = PAUSES_MS[tries] ?? (forEver ? PAUSES_MS.at(-1) : undefined);
      if (!(err instanceof AppError) || !err.retryable || pauseMs === undefined) throw err;
      log.warn({ reason: err.message, err, pauseMs }, "start goes on after a pause");
      await pause(clock, pauseMs);
    }
  }
}

export function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}
