import type { Deps, WakeReason } from "./deps.ts";
import type { RepoName } from "./domain/ids.ts";
import { withLease } from "./lease.ts";
import type { Clock } from "./ports/clock.ts";

export type TickRepo = (repo: RepoName, news: WakeReason) => Promise<number | undefined>;

/** A server that dies in its turn is waited for this long. */
const TURN_MS = 30_000;
const ASK_AGAIN_MS = 250;

/**
 * One tick of a repository at a time, over all servers that share the store: two that read GitHub at the same moment would both write
 * the comment that is missing. An embedded store has one server, whose lanes see to that alone.
 */
export function inTurns(
  tick: TickRepo,
  deps: Pick<Deps, "operator" | "holder" | "store" | "clock">,
): TickRepo {
  if (deps.operator.store.url === undefined) return tick;
  return async (repo, news) => {
    const turn = { name: `tick:${repo}`, holder: deps.holder, ttlMs: TURN_MS };
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
