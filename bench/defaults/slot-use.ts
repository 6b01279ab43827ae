import type { AgentLife } from "./journal.ts";

/** How well the slots were used, from the lives of the agents in the order of their starts. */
export interface SlotUse {
  readonly mostAtOnce: number;
  /** Sum of the lives / (slots × (last start − first start)). */
  readonly utilization: number;
  /** The same without what was left of lives after the last start: 1 is the most. */
  readonly utilizationWithin: number;
  /** From the end that freed a slot to the start that took it. */
  readonly refillsMs: readonly number[];
  /** Starts on a file that another card had under way: it had not landed. */
  readonly writtenByTwo: number;
  readonly redone: number;
}

export interface Landings {
  /** By card. */
  readonly landedAt: ReadonlyMap<string, number>;
}

export function slotUse(
  lives: readonly AgentLife[],
  slots: number,
  { landedAt }: Landings,
): SlotUse {
  const first = lives[0]?.startedAt ?? 0;
  const last = lives.at(-1)?.startedAt ?? 0;
  const room = slots * Math.max(1, last - first);
  const within = lives.map((life) => Math.min(last, life.endedAt) - life.startedAt);
  return {
    mostAtOnce: Math.max(0, ...lives.map(({ startedAt }) => atWork(lives, startedAt))),
    utilization: sum(lives.map(({ startedAt, endedAt }) => endedAt - startedAt)) / room,
    utilizationWithin: sum(within) / room,
    refillsMs: refills(lives, slots, landedAt),
    writtenByTwo: lives.filter((life) => rivalsOf(life, lives, landedAt).length > 0).length,
    redone: lives.length - new Set(lives.map(({ id }) => id)).size,
  };
}

function atWork(lives: readonly AgentLife[], at: number): number {
  return lives.filter(({ startedAt, endedAt }) => startedAt <= at && at < endedAt).length;
}

/** With n slots, start n + k takes what the end number k has freed. A card that waits for another's landing is counted from there. */
function refills(
  lives: readonly AgentLife[],
  slots: number,
  landedAt: Landings["landedAt"],
): readonly number[] {
  const ends = lives.map(({ endedAt }) => endedAt).sort((a, b) => a - b);
  return lives.slice(slots).map((life, at) => {
    const earlier = lives.filter(
      ({ id, path, startedAt }) =>
        path === life.path && id !== life.id && startedAt < life.startedAt,
    );
    const landings = earlier.map(({ id }) => landedAt.get(id) ?? 0);
    return life.startedAt - Math.max(ends[at] ?? 0, ...landings);
  });
}

function rivalsOf(
  life: AgentLife,
  lives: readonly AgentLife[],
  landedAt: Landings["landedAt"],
): readonly AgentLife[] {
  return lives.filter(
    ({ id, path, startedAt }) =>
      path === life.path &&
      id !== life.id &&
      startedAt < life.startedAt &&
      (landedAt.get(id) ?? Infinity) > life.startedAt,
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
