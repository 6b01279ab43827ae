import type { RunId } from "../domain/ids.ts";
import type { Deps } from "../ports/deps.ts";

/** Ten signs of life fit into the time after which a silent run is given up, so a few may get lost. */
const BEATS_PER_LIMIT = 10;

/**
 * Tells the store now and at intervals that the run is at work, until the returned function is called. It calls `over` when the store says
 * that the run is given up.
 */
export function keepAlive(
  run: RunId,
  { store, clock, operator, log }: Pick<Deps, "store" | "clock" | "operator" | "log">,
  over: () => void,
): () => void {
  const intervalMs = operator.claimsStaleAfter / BEATS_PER_LIMIT;
  let stopped = false;
  let cancel = (): void => undefined;
  const beat = async (): Promise<void> => {
    const wanted = await store.heartbeat(run, clock.now()).catch((err: unknown) => {
      log.warn({ run, err }, "heartbeat not written");
      return true;
    });
    if (stopped) return;
    if (wanted) cancel = clock.after(intervalMs, () => void beat());
    else over();
  };
  void beat();
  return () => {
    stopped = true;
    cancel();
  };
}
