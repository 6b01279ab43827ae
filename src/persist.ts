import type { Clock } from "./ports/clock.ts";
import type { Log } from "./ports/log.ts";
import { AppError } from "./shared/app-error.ts";

/** Half a minute in all: a network that comes up after the app, or a GitHub with a hiccup. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000];

/** Does what a start cannot do without, again when the world says that it may work later. */
export async function persist<T>(
  work: () => Promise<T>,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<T> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await work();
    } catch (err) {
      if (!(err instanceof AppError) || !err.retryable) throw err;
      log.warn({ err, pauseMs }, "start goes on after a pause");
      await pause(clock, pauseMs);
    }
  }
  return work();
}

const LONGEST_PAUSE_MS = 15_000;

/** The same without end: there is nothing to do before it works, and whoever waits for the app reads why it does not come up. */
export async function persistForEver<T>(
  work: () => Promise<T>,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<T> {
  for (let pauseMs = 1_000; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (err) {
      if (!(err instanceof AppError) || !err.retryable) throw err;
      log.warn({ reason: err.message, pauseMs }, "start waits for the store");
      await pause(clock, pauseMs);
    }
  }
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}
