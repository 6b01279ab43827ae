import type { JanitorDeps } from "./snapshot.ts";
import { tick } from "./tick.ts";

export interface Janitor {
  /** Resolves when the pass under way is over. */
  stop(): Promise<void>;
}

/** A pass at once, then one every `cleanup.every`; never two at a time. */
export function startJanitor(deps: JanitorDeps): Janitor {
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
