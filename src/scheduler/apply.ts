import type { IntakeCommand } from "../board/decide-intake.ts";
import type { Deps, RepoContext } from "../deps.ts";
import type { Run } from "../domain/run.ts";
import { AppError } from "../shared/app-error.ts";
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
        if (!(await isTaken(command, context, deps))) return;
        deps.background.startRun(context, onThisHost(command.run, deps));
        break;
      case "promote":
        deps.background.promote(context, command.task);
        break;
      case "cancel-run":
        deps.background.cancelRun(command.run, command.reason);
        break;
      default:
        assertNever(command);
    }
  }
}

/** Whoever starts a run works on it. */
function onThisHost(run: Run, { hostName }: Deps): Run {
  return { ...run, host: hostName };
}

/** False when claims were taken or extended since the plan was made: what is left of it is decided anew. */
async function isTaken(
  { run, changes }: Extract<SchedulerCommand, { kind: "start-run" }>,
  { repo }: RepoContext,
  deps: Deps,
): Promise<boolean> {
  try {
    await deps.store.record(
      repo,
      changes.map((change) =>
        change.kind === "run-queued" ? { ...change, run: onThisHost(change.run, deps) } : change,
      ),
    );
    return true;
  } catch (err) {
    if (!(err instanceof AppError) || err.code !== "store-conflict") throw err;
    deps.log.info({ repo, task: run.task, err }, "start overtaken");
    deps.wake(repo, "we-changed");
    return false;
  }
}
