/** What one text may cost where the yardstick takes its usual time. */
const LIMIT_MS = 50;
/** For what reads a whole text as Markdown: up to 65,536 characters, made to be slow to read. */
export const READING_MS = 200;
const USUAL_YARDSTICK_MS = 3;
const YARDSTICK = "- src/**/*.ts, read: `a b` #12\n".repeat(3_000);
const TRIES = 5;

/**
 * What else the machine does is not the reader's fault, nor is a slow processor: only what is slow every time is slow, and what
 * seems slow is held against a fixed piece of work of the same kind, timed right after it.
 */
export function withinLimit<T>(work: () => T, usualMs = LIMIT_MS): T {
  const taken: string[] = [];
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { value, ms } = timed(work);
    if (ms <= usualMs) return value;
    const limitMs = usualMs * Math.max(1, timed(readYardstick).ms / USUAL_YARDSTICK_MS);
    if (ms <= limitMs) return value;
    taken.push(`${ms.toFixed(0)} of ${limitMs.toFixed(0)}`);
  }
  throw new Error(`takes too many milliseconds every time: ${taken.join(", ")}`);
}

function readYardstick(): number {
  return YARDSTICK.split(/[\s,`]+/).filter((word) => /^[^*]+$/.test(word)).length;
}

/** The clock runs ahead while others work, and other threads of this process add to its processor time: the smaller one is nearer. */
function timed<T>(work: () => T): { readonly value: T; readonly ms: number } {
  const [began, before] = [performance.now(), process.cpuUsage()];
  const value = work();
  const { user, system } = process.cpuUsage(before);
  return { value, ms: Math.min(performance.now() - began, (user + system) / 1000) };
}
