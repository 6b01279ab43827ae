import type { DeliveryAttempt } from "../ports/deliveries.ts";

export interface MissedFacts {
  /** The newest attempt comes first. */
  readonly attempts: readonly DeliveryAttempt[];
  /** These are the guids that the store has. */
  readonly known: ReadonlySet<string>;
  readonly events: ReadonlySet<string>;
  /** It is true for the first sweep ever, which does not ask again for deliveries that were answered before. */
  readonly firstLook: boolean;
}

/** Picks one attempt of each delivery that never became a signal, oldest first. */
export function decideMissed(facts: MissedFacts): readonly DeliveryAttempt[] {
  const taken = new Set<string>();
  return facts.attempts.toReversed().filter(({ guid, event, answered }) => {
    if (facts.known.has(guid) || taken.has(guid) || !facts.events.has(event)) return false;
    if (facts.firstLook && answered) return false;
    taken.add(guid);
    return true;
  });
}
