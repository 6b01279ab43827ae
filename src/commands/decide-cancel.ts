import type { Change } from "../domain/change.ts";
import { isObjective } from "../domain/objective.ts";
import type { Task } from "../domain/task.ts";
import { assertNever } from "../shared/assert-never.ts";
import { done, refused } from "./decision.ts";
import type { CommandDecision, CommandSnapshot } from "./decision.ts";

export function decideCancel(task: Task, snapshot: CommandSnapshot): CommandDecision {
  switch (task.state) {
    case "waiting":
    case "blocked":
      return done("it is cancelled; /retry takes it up again", {
        changes: [toCancelled(task, snapshot)],
      });
    case "running":
      return cancelRun(snapshot);
    case "review":
    case "queued":
      return leaveTrain(task, snapshot);
    case "failed":
      return refused("it has been given up already; nothing of it runs");
    case "cancelled":
      return refused("it is cancelled already");
    case "landed":
      return refused(
        isObjective(task)
          ? "it was broken into tasks already: close those that are not wanted"
          : "it has landed: revert its pull request to take it back",
      );
    default:
      return assertNever(task.state);
  }
}

/** The run's own end moves the task. */
function cancelRun({ run, by }: CommandSnapshot): CommandDecision {
  if (run === undefined) return refused("its run is just ending; ask again in a moment");
  return done("its run is being stopped, and what it did is kept; /retry takes it up again", {
    effects: [{ kind: "cancel-run", run: run.id, reason: reasonOf(by) }],
  });
}

function leaveTrain(task: Task, snapshot: CommandSnapshot): CommandDecision {
  if (snapshot.entry?.state === "landing") return refused("it is landing at this very moment");
  const left = task.pull === undefined ? "" : ` #${task.pull} is left open: close it, or merge it.`;
  return done(`it is cancelled and will not be landed.${left}`, {
    changes: [toCancelled(task, snapshot)],
  });
}

function toCancelled(task: Task, { by, now: at }: CommandSnapshot): Change {
  const moved = { kind: "task-moved", task: task.id, from: task.state, at } as const;
  return { ...moved, to: "cancelled", reason: reasonOf(by), set: {} };
}

function reasonOf(by: string): string {
  return `cancelled by ${by}`;
}
