import { truncate } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { CommandEnd } from "../../ports/processes.ts";
import { logSizeOf } from "./command-log.ts";
import { measureDisk } from "./disk-use.ts";
import { isOver, watchCommand, type Watched } from "./watch.ts";

export interface Supervised extends Watched {
  readonly graceMs: number;
}

const GRACE_LOOK_MS = 25;
const FLOODS: readonly CommandEnd["kind"][] = ["output-limit", "process-limit", "disk-limit"];

/** Follows a command to its end, whoever started it, and leaves nothing of it alive. */
export async function supervise(supervised: Supervised): Promise<CommandEnd> {
  const { folder, tree } = supervised;
  const before = await folder.stop();
  const seen = before ?? (await watchCommand(supervised));
  if (!isOver(seen)) await stop(seen, supervised);
  await tree.sweep();
  const end = await withinDisk(await withinLog(seen, supervised), supervised);
  await folder.writeEnd(end);
  return end;
}

async function stop(reason: CommandEnd, { folder, tree, graceMs }: Supervised): Promise<void> {
  await folder.writeStop(reason);
  // A command that floods the disk or the process table gets no time to go on.
  if (FLOODS.includes(reason.kind)) return;
  await tree.interrupt();
  const deadline = performance.now() + graceMs;
  while (performance.now() < deadline) {
    if ((await folder.exit()) !== undefined || !(await tree.isRootAlive())) return;
    await delay(GRACE_LOOK_MS);
  }
}

/** Cuts the log to its limit: the command may have written more before it was stopped, or have ended by itself first. */
async function withinLog(end: CommandEnd, { record, request }: Supervised): Promise<CommandEnd> {
  const limit = record.logStart + request.limits.maxLogBytes;
  if (logSizeOf(record) <= limit) return end;
  await truncate(record.logPath, limit);
  return { kind: "output-limit" };
}

/** Measures the disk at the end: a command that ended by itself may have filled it between two looks. */
async function withinDisk(end: CommandEnd, { request }: Supervised): Promise<CommandEnd> {
  if (end.kind !== "exited" && end.kind !== "killed") return end;
  return (await measureDisk(request.limits.disk)) ?? end;
}
