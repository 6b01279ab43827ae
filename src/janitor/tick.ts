import { AppError } from "../shared/app-error.ts";
import { decideCleanup, type CleanupCommand } from "./decide-cleanup.ts";
import { readSnapshot, type JanitorDeps } from "./snapshot.ts";

/** One pass: takes away what is of no use any more. What cannot be removed now is tried again by the next pass. */
export async function tick(deps: JanitorDeps): Promise<void> {
  const snapshot = await readSnapshot(deps);
  if (snapshot.short) {
    const { minFreeDisk } = deps.operator;
    const freeDisk = await deps.host.freeDiskBytes();
    deps.log.warn({ freeDisk, minFreeDisk }, "disk nearly full: no run is started");
  }
  for (const command of decideCleanup(snapshot)) await apply(command, deps);
}

async function apply(command: CleanupCommand, deps: JanitorDeps): Promise<void> {
  const { reason } = command;
  try {
    if (command.kind === "compact") {
      await deps.leftovers.compact(command.repo);
      deps.log.info({ repo: command.repo, reason }, "mirror compacted");
    } else {
      await deps.leftovers.remove(command.leftover);
      deps.log.info({ ...command.leftover, reason }, "leftover removed");
    }
  } catch (err) {
    if (!(err instanceof AppError) && !isOfFileSystem(err)) throw err;
    deps.log.warn({ ...command, err }, "leftover not removed");
  }
}

function isOfFileSystem(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
