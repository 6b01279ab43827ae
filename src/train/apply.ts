import type { Deps, RepoContext } from "../deps.ts";
import type { Change } from "../domain/change.ts";
import { assertNever } from "../shared/assert-never.ts";
import type { TrainCommand } from "./decide.ts";
import { land } from "./land.ts";
import { settleLanding } from "./settle-landing.ts";

/** Carries out the train's commands in order. Each can be repeated: the store refuses a change whose time has passed. */
export async function apply(
  commands: readonly TrainCommand[],
  context: RepoContext,
  deps: Deps,
): Promise<void> {
  for (const command of commands) await applyOne(command, context, deps);
}

async function applyOne(command: TrainCommand, context: RepoContext, deps: Deps): Promise<void> {
  switch (command.kind) {
    case "record":
      await deps.store.record(context.repo, command.changes);
      deps.wake(context.repo, "we-changed");
      return;
    case "verify":
      deps.background.startVerification(context, command.entry);
      return;
    case "land":
      await land({ context, ...command }, deps);
      deps.wake(context.repo, "we-changed");
      return;
    case "settle":
      await settleLanding(
        { context, ...command },
        { kind: "unknown", reason: "the app was stopped while landing" },
        deps,
      );
      deps.wake(context.repo, "we-changed");
      return;
    case "read-again":
      deps.wake(context.repo, "github-changed");
      return;
    case "look-up-pull":
      await lookUpPull(command, context, deps);
      return;
    default:
      assertNever(command);
  }
}

/** Someone merged or closed the pull request without us. */
async function lookUpPull(
  { task, entry }: Extract<TrainCommand, { kind: "look-up-pull" }>,
  context: RepoContext,
  deps: Deps,
): Promise<void> {
  if (task.pull === undefined) return;
  const { state } = await deps.github.pullState(context.repo, task.pull);
  if (state === "open") return;
  const at = deps.clock.now();
  const to = state === "merged" ? "landed" : "cancelled";
  const reason = `#${task.pull} was ${state} by someone else`;
  const moved: Change = {
    ...{ kind: "task-moved", task: task.id, from: task.state, to, reason, at },
    set: {},
  };
  const ended: readonly Change[] =
    entry === undefined
      ? []
      : [
          {
            ...{ kind: "entry-moved", entry: entry.id, from: entry.state, to: "superseded" },
            ...{ reason, at, set: {} },
          },
        ];
  await deps.store.record(context.repo, [...ended, moved]);
  deps.wake(context.repo, "we-changed");
}
