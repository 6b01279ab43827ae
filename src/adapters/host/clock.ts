import { instant } from "../../domain/ids.ts";
import type { Clock } from "../../ports/clock.ts";

// A timer with a longer delay would fire at once. Whoever waits that long looks again when woken.
const MAX_DELAY_MS = 2 ** 31 - 1;

export function createClock(): Clock {
  return {
    now: () => instant(Date.now()),
    after: (delayMs, fire) => {
      const timer = setTimeout(fire, Math.min(delayMs, MAX_DELAY_MS));
      return () => clearTimeout(timer);
    },
  };
}
