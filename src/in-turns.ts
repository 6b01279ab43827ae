import type { Deps } from "./deps.ts";
import { withLease } from "./lease.ts";
import type { LaneName, Tick } from "./loop.ts";
import type { Clock } from "./ports/clock.ts";

/** A server that dies in its turn is waited for this long. */
const TURN_MS = 30_000;
const ASK_AGAIN_MS = 250;

/**
 * One tick of a repository's lane at a time, over all servers that share the store: two that read GitHub at the same moment would
 * both write the comment that is missing. An embedded store has one server, whose lanes see to that alone.
 */
export function inTurns(
  lane: LaneName,
  tick: Tick,
  deps: Pick<Deps, "operator" | "holder" | "store" | "clock">,
): Tick {
  if (deps.operator.store.url === undefined) return tick;
  return async (repo, news) => {
    const turn = { name: `${lane}:${repo}`, holder: deps.holder, ttlMs: TURN_MS };
    for (;;) {
      const taken = await withLease(turn, deps, () => tick(repo, news));
      if (taken.kind === "done") return taken.result;
      await pause(deps.clock);
    }
  };
}

function pause(clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ASK_AGAIN_MS, resolve);
  });
}
