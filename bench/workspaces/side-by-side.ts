/** One way to do the same thing; `prepare` and `tidy` are not timed. */
export interface Way {
  readonly name: string;
  readonly prepare?: () => Promise<void>;
  readonly run: () => Promise<void>;
  readonly tidy?: () => Promise<void>;
}

/** Times all ways in turn, each round beginning with another one, so that the machine's noise falls on all alike; the others are compared with the first. */
export async function printSideBySide(
  title: string,
  ways: readonly Way[],
  rounds: number,
): Promise<void> {
  const times = ways.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1)
    for (let turn = 0; turn < ways.length; turn += 1) {
      const index = (round + turn) % ways.length;
      times[index]?.push(await timeOf(ways[index]!));
    }
  const medians = times.map(median);
  console.log(`\n${title}`);
  for (const [index, way] of ways.entries()) {
    const ratio = (medians[index] ?? 0) / (medians[0] ?? 1);
    const ms = (medians[index] ?? 0).toFixed(1).padStart(9);
    console.log(`  ${way.name.padEnd(52)} ${ms} ms  ${ratio.toFixed(3)}x`);
  }
}

async function timeOf(way: Way): Promise<number> {
  await way.prepare?.();
  const started = performance.now();
  await way.run();
  const took = performance.now() - started;
  await way.tidy?.();
  return took;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
