import { instant } from "../domain/ids.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import { AppError } from "../shared/app-error.ts";
import { backoffMs } from "../shared/backoff.ts";
import { formatInstant } from "../shared/format.ts";
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

/** Does work that a start needs. Where the failure may pass, it is tried again; where GitHub asks to wait, it waits for as long as that. */
export async function retryAtStart<T>(
  work: () => Promise<T>,
  { clock, log, forEver = false }: Persistence,
): Promise<T> {
  let failures = 0;
  for (;;) {
    try {
      return await work();
    } catch (err) {
      if (!(err instanceof AppError) || !err.retryable) throw err;
      const { retryAfterMs: askedMs } = err;
      // A start that gave up would end in the same limit the next time, and be kept away for longer.
      if (askedMs === undefined) failures += 1;
      if (failures > PAUSE_COUNT && !forEver) throw err;
      const pauseMs = Math.max(askedMs ?? 0, backoffMs(Math.max(1, failures), PAUSES));
      log.warn({ reason: reasonOf(err, clock), err, pauseMs }, "start goes on after a pause");
      await sleep(pauseMs, clock);
    }
  }
}

function reasonOf({ message, retryAfterMs }: AppError, { now }: Clock): string {
  if (retryAfterMs === undefined) return message;
  return `${message}; asked to wait until ${formatInstant(instant(now() + retryAfterMs))}`;
}
