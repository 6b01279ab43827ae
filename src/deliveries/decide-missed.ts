import type { DeliveryAttempt } from "../ports/deliveries.ts";

export interface MissedFacts {
  /** Newest first. */
  readonly attempts: readonly DeliveryAttempt[];
  /** Guids that the store has. */
  readonly known: ReadonlySet<string>;
  readonly events: ReadonlySet<string>;
  /** On the first look of all, what was answered before our time is not asked for again. */
  readonly firstLook: boolean;
}

/** Deliveries that never became a signal, one attempt of each, oldest first. */
export function decideMissed(facts: MissedFacts): readonly DeliveryAttempt[] {
  const taken = new Set<string>();
  return facts.attempts.toReversed().filter(({ guid, event, answered }) => {
    if (facts.known.has(guid) || taken.has(guid) || !facts.events.has(event)) return false;
    if (facts.firstLook && answered) return false;
    taken.add(guid);
    return true;
  });
}
