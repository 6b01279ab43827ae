import { createHash } from "node:crypto";
import type { RecordedEvent } from "../../ports/store.ts";
import { canonicalJson } from "./canonical-json.ts";

/** The end of the chain so far. */
export type Link = Pick<RecordedEvent, "seq" | "hash">;

export const FIRST_LINK: Link = { seq: 0, hash: "" };

export function linkHash(previousHash: string, event: Omit<RecordedEvent, "hash">): string {
  return createHash("sha256").update(previousHash).update(canonicalJson(event)).digest("hex");
}

/** The first event that is not what was written after `last`: changed, removed or put in. Folded events are vouched for by the one in their place. */
export function brokenLink(
  events: readonly RecordedEvent[],
  last: Link = FIRST_LINK,
): RecordedEvent | undefined {
  let previous = last;
  for (const event of events) {
    if (!follows(event, previous)) return event;
    previous = event;
  }
  return undefined;
}

function follows(event: RecordedEvent, previous: Link): boolean {
  const { hash, ...content } = event;
  // A reader may have stopped amid events that were folded since.
  if (event.change.kind === "events-folded")
    return event.change.first <= previous.seq + 1 && previous.seq < event.seq;
  return event.seq === previous.seq + 1 && hash === linkHash(previous.hash, content);
}
