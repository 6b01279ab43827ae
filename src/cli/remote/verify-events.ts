import { FIRST_LINK, brokenLink } from "../../adapters/store/chain.ts";
import type { Link } from "../../adapters/store/chain.ts";
import type { RecordedEvent } from "../../ports/store.ts";

export interface Verdict {
  readonly events: number;
  /** The first event that is not what was written there. */
  readonly broken: number | undefined;
  /** What to compare another copy with. */
  readonly last: Link;
}

/** Follows the hash chain from its beginning. */
export async function verifyEvents(events: AsyncIterable<RecordedEvent>): Promise<Verdict> {
  let last: Link = FIRST_LINK;
  let count = 0;
  for await (const event of events) {
    if (brokenLink([event], last) !== undefined) return { events: count, broken: event.seq, last };
    last = event;
    count += 1;
  }
  return { events: count, broken: undefined, last };
}

export function renderVerdict({ events, broken, last }: Verdict): string {
  if (broken !== undefined) {
    return `the chain of events breaks at ${broken}: it is not what was written after ${last.seq}`;
  }
  return `${events} events, unbroken${events === 0 ? "" : `; the last is ${last.seq}, ${last.hash}`}`;
}
