import type { Deps } from "./deps.ts";
import type { RunId } from "./domain/ids.ts";

/** Ten signs of life within the time after which a silent run is given up: a few may get lost. */
const BEATS_PER_LIMIT = 10;

/** Tells the store now and at intervals that the run is at work, until the returned function is called; `over` when the store knows better. */
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
