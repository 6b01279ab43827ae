/** One way to do the same thing; `prepare` and `tidy` are not timed. */
export interface Way {
  readonly name: string;
  readonly prepare?: () => Promise<void>;
  readonly run: () => Promise<void>;
  readonly tidy?: () => Promise<void>;
}

export interface Rounds {
  readonly title: string;
  readonly count: number;
  /** When the time for it is over: what has not begun by then is left out, and said to be. */
  readonly until: number;
  /** How long one round of a way is expected to take, where that is known. */
  readonly expectedMs?: (name: string) => number;
}

export interface Timed {
  /** Undefined: left out. */
  readonly medianMs: number | undefined;
  /** Of its longest round, with all that was not timed. */
  readonly wholeMs: number;
}

export type Times = ReadonlyMap<string, Timed>;

/** Times all ways in turn, each round beginning with another one, so that the machine's noise falls on all alike; the others are compared with the first. */
export async function printSideBySide(ways: readonly Way[], rounds: Rounds): Promise<Times> {
  const taken = ways.map(() => ({ own: [] as number[], whole: [] as number[] }));
  for (let round = 0; round < rounds.count; round += 1)
    for (let turn = 0; turn < ways.length; turn += 1) {
      const index = (round + turn) % ways.length;
      const [way, times] = [ways[index]!, taken[index]!];
      const expected = times.whole[0] ?? rounds.expectedMs?.(way.name) ?? 0;
      if (performance.now() + expected > rounds.until) continue;
      console.error(`… ${rounds.title}: ${way.name}, round ${round + 1} of ${rounds.count}`);
      const { ownMs, wholeMs } = await timeOf(way);
      times.own.push(ownMs);
      times.whole.push(wholeMs);
    }
  const timed = new Map<string, Timed>();
  for (const [index, { name }] of ways.entries()) {
    const { own, whole } = taken[index]!;
    timed.set(name, { medianMs: median(own), wholeMs: Math.max(0, ...whole) });
  }
  printTable(rounds.title, timed);
  return timed;
}

function printTable(title: string, timed: Times): void {
  console.log(`\n${title}`);
  const first = [...timed.values()][0]?.medianMs;
  for (const [name, { medianMs }] of timed) {
    const ratio = ratioOf(medianMs, first);
    const text =
      medianMs === undefined
        ? "left out: it would take too long"
        : `${medianMs.toFixed(1).padStart(9)} ms  ${ratio?.toFixed(3) ?? "?"}x`;
    console.log(`  ${name.padEnd(56)} ${text}`);
  }
}

export function ratioOf(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one / other;
}

async function timeOf(way: Way): Promise<{ readonly ownMs: number; readonly wholeMs: number }> {
  const begun = performance.now();
  await way.prepare?.();
  const started = performance.now();
  await way.run();
  const ownMs = performance.now() - started;
  await way.tidy?.();
  return { ownMs, wholeMs: performance.now() - begun };
}

function median(values: readonly number[]): number | undefined {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
