import type { Deps } from "../ports/deps.ts";
import { digest } from "../shared/digest.ts";
import { createKeyedQueue } from "../shared/keyed-queue.ts";
import type { KeyedQueue } from "../shared/keyed-queue.ts";
import { inTurn } from "./one-tick-per-repo.ts";

/** A lease's row stays for ever, so places share 256 of them. */
const BUCKET_DIGITS = 2;

/** Lets one write at a time go to each place, over all servers that share the store. An embedded store has one server. */
export function createPublishingTurns(
  deps: Pick<Deps, "clock" | "holder" | "operator" | "store">,
): KeyedQueue {
  const queue = createKeyedQueue();
  if (deps.operator.store.url === undefined) return queue;
  return (key, work) => {
    const turn = `publishing:${digest(key).slice(0, BUCKET_DIGITS)}`;
    // Two works of one process would both be given the lease.
    return queue(turn, () => inTurn(turn, deps, work));
  };
}
