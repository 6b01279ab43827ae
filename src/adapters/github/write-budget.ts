/** What GitHub allows everyone who writes: content-creating requests, by whatever interface. */
export interface WriteLimits {
  readonly spacingMs: number;
  readonly perMinute: number;
  readonly perHour: number;
}

export const GITHUB_WRITES: WriteLimits = { spacingMs: 1000, perMinute: 80, perHour: 500 };

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** When the next write may go, given when the earlier ones went, oldest first. */
export function nextWriteAt(
  writes: readonly number[],
  now: number,
  { spacingMs, perMinute, perHour }: WriteLimits,
): number {
  const after = (count: number, pauseMs: number): number => {
    const earlier = writes.at(-count);
    return earlier === undefined ? now : earlier + pauseMs;
  };
  return Math.max(now, after(1, spacingMs), after(perMinute, MINUTE_MS), after(perHour, HOUR_MS));
}

/** Those that still count. */
export function rememberWrite(writes: readonly number[], at: number): readonly number[] {
  return [...writes.filter((earlier) => earlier > at - HOUR_MS), at];
}

export function writesWithinHour(writes: readonly number[], now: number): number {
  return writes.filter((at) => at > now - HOUR_MS).length;
}
