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
      await new Promise<void>((resolve) => {
        clock.after(pauseMs, resolve);
      });
    }
  }
  return work();
}
