import type { IntakeCommand } from "../board/decide-intake.ts";
import type { Deps, RepoContext } from "../deps.ts";
import { assertNever } from "../shared/assert-never.ts";
import type { SchedulerCommand } from "./decide.ts";

/** Persist, then act: a run's row exists before anything of it starts. */
export async function apply(
  commands: readonly (SchedulerCommand | IntakeCommand)[],
  context: RepoContext,
  deps: Deps,
): Promise<void> {
  for (const command of commands) {
    switch (command.kind) {
      case "record":
        await deps.store.record(context.repo, command.changes);
        break;
      case "start-run":
        await deps.store.record(context.repo, command.changes);
        deps.background.startRun(context, command.run);
        break;
      case "cancel-run":
        deps.background.cancelRun(command.run, command.reason);
        break;
      default:
        assertNever(command);
    }
  }
}
