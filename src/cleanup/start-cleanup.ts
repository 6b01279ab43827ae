import { tick } from "./tick.ts";
import type { CleanupDeps } from "./tick.ts";

export interface Cleanup {
  /** Resolves when the pass under way is over. */
  stop(): Promise<void>;
}

/** Makes a pass at once and then one every `cleanup.every`; two never run at the same time. */
export function startCleanup(deps: CleanupDeps): Cleanup {
  let stopped = false;
  let cancel = (): void => undefined;
  let pass = Promise.resolve();
  const work = async (): Promise<void> => {
    await tick(deps).catch((err: unknown) => deps.log.error({ err }, "cleanup failed"));
    if (!stopped) cancel = deps.clock.after(deps.operator.cleanup.every, begin);
  };
  const begin = (): void => {
    pass = work();
  };
  begin();
  return {
    async stop() {
      stopped = true;
      cancel();
      await pass;
    },
  };
}
