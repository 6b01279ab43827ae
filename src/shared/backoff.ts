export interface BackoffLimits {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** No pause needs more doublings; with far more, the number of milliseconds would be infinite. */
const MAX_DOUBLINGS = 30;

/** Returns the pause after so many failures in a row: it is the first one after one failure, and doubles with each further failure. */
export function backoffMs(failures: number, { firstMs, longestMs }: BackoffLimits): number {
  const doublings = Math.min(failures - 1, MAX_DOUBLINGS);
  return Math.min(firstMs * 2 ** doublings, longestMs);
}
