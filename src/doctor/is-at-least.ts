/** Compares versions by their numbers. */
export function isAtLeast(version: string, wanted: string): boolean {
  const [have, need] = [version, wanted].map((text) => text.split(".").map(Number));
  for (const [at, number] of (need ?? []).entries()) {
    const other = have?.[at] ?? 0;
    if (Number.isNaN(other) || other < number) return false;
    if (other > number) return true;
  }
  return true;
}
