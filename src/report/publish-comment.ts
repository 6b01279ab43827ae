import type { Deps, RepoContext } from "../deps.ts";
import type { Task, TaskState } from "../domain/task.ts";
import { digest } from "../shared/digest.ts";
import { renderComment } from "./render-comment.ts";

/** States worth a write: GitHub allows about 500 content writes an hour, and the check run tells the rest. */
const WORTH_A_WRITE: ReadonlySet<TaskState> = new Set([
  "waiting",
  "blocked",
  "running",
  "review",
  "landed",
  "failed",
]);

/** The one comment of an issue: made once, edited in place, untouched while nothing changes. */
export async function publishComment(context: RepoContext, task: Task, deps: Deps): Promise<void> {
  const key = `comment:${task.id}`;
  const known = await deps.store.publication(key);
  if (!WORTH_A_WRITE.has(task.state) && !(known !== undefined && task.state === "cancelled"))
    return;
  const body = renderComment({ task, base: context.base });
  const hash = digest(body);
  if (known?.digest === hash) return;
  if (known === undefined) {
    const remoteId = await deps.github.createComment(context.repo, task.issue, body);
    await deps.store.savePublication({ key, remoteId, digest: hash });
    return;
  }
  await deps.github.updateComment(context.repo, known.remoteId, body);
  await deps.store.savePublication({ ...known, digest: hash });
}
