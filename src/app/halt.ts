import type { Log } from "../ports/log.ts";
import type { Notices } from "../ports/notices.ts";

interface Surroundings {
  readonly log: Log;
  readonly notices: Pick<Notices, "tell">;
  readonly loop: { halt(): boolean };
}

/** A store that is damaged is not to be relied on: nothing is decided by it any more, and somebody has to look. Agents at work go on. */
export function haltBecause(reason: string, { log, notices, loop }: Surroundings): void {
  if (!loop.halt()) return;
  log.error({ reason }, "store damaged: nothing is started or landed");
  notices.tell(
    `halted: the store is damaged (${reason}); nothing is started or landed until it is restored and the server started again, see docs/store.md`,
  );
}
