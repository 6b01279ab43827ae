import type { Clock } from "../ports/clock.ts";
import type { RecordedEvent, Store } from "../ports/store.ts";
import { sleep } from "../shared/sleep.ts";
import type { Route } from "./route.ts";

const PAGE_SIZE = 500;
/** A follower hears of an event within this time. */
const POLL_EVERY_MS = 250;

interface Wanted {
  readonly after: number;
  readonly limit: number;
  readonly follow: boolean;
  readonly repo: string | undefined;
}

/** Sends the event log from a place on, oldest first; `follow` waits for more. */
export const getEvents: Route = {
  method: "GET",
  path: "events",
  answer({ query, signal }, { store, clock }) {
    const after = wholeNumber(query.get("after"), 0);
    const limit = wholeNumber(query.get("limit"), Number.MAX_SAFE_INTEGER);
    if (after === undefined) return { kind: "refused", reason: "after is not a whole number" };
    if (limit === undefined) return { kind: "refused", reason: "limit is not a whole number" };
    const follow = query.get("follow") === "1";
    const wanted = { after, limit, follow, repo: query.get("repo") ?? undefined };
    return { kind: "lines", lines: eventsFrom(wanted, { store, clock, signal }) };
  },
};

function wholeNumber(text: string | null, otherwise: number): number | undefined {
  if (text === null) return otherwise;
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

async function* eventsFrom(
  { after, limit, follow, repo }: Wanted,
  {
    store,
    clock,
    signal,
  }: { readonly store: Store; readonly clock: Clock; readonly signal: AbortSignal },
): AsyncGenerator<RecordedEvent> {
  let last = after;
  let left = limit;
  while (left > 0 && !signal.aborted) {
    const page = await store.events(last, PAGE_SIZE);
    last = page.at(-1)?.seq ?? last;
    const wanted = page.filter((event) => repo === undefined || event.repo === repo);
    yield* wanted.slice(0, left);
    left -= wanted.length;
    if (page.length === PAGE_SIZE) continue;
    if (!follow) return;
    await sleep(POLL_EVERY_MS, clock, signal);
  }
}
