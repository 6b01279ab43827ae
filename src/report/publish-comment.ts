import type { Deps, RepoContext } from "../deps.ts";
import type { RepoName } from "../domain/ids.ts";
import type { Task, TaskState } from "../domain/task.ts";
import type { Publication } from "../ports/store.ts";
import { digest } from "../shared/digest.ts";
import { COMMENT_MARKER, renderComment } from "./render-comment.ts";
import type { TaskStory } from "./task-story.ts";
import { unlessRefused } from "./unless-refused.ts";

/** No id yet: the comment is looked for before one is made. */
const ANNOUNCED = "";

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
export async function publishComment(
  context: RepoContext,
  { task, run, entry }: TaskStory,
  deps: Deps,
): Promise<void> {
  const key = `comment:${task.id}`;
  const known = await deps.store.publication(key);
  if (!WORTH_A_WRITE.has(task.state) && !(known !== undefined && task.state === "cancelled"))
    return;
  const body = renderComment({ task, run, entry, attemptLimit: context.config.limits.attempts });
  const hash = digest(body);
  if (known?.digest === hash) return;
  const report = { repo: context.repo, task: task.id, what: "comment" };
  const placed = await unlessRefused(report, deps, () =>
    placeComment(context.repo, { task, key, body, known }, deps),
  );
  await deps.store.savePublication({ key, remoteId: placed ?? ANNOUNCED, digest: hash });
}

interface Placing {
  readonly task: Task;
  readonly key: string;
  readonly body: string;
  readonly known: Publication | undefined;
}

/** Puts the text where it belongs and returns the comment's id. */
async function placeComment(
  repo: RepoName,
  { task, key, body, known }: Placing,
  deps: Deps,
): Promise<string> {
  const existing = await existingComment(repo, { task, key, known }, deps);
  if (existing === undefined) return deps.github.createComment(repo, task.issue, body);
  await deps.github.updateComment(repo, existing, body);
  return existing;
}

/** The first write is announced in the store: if its answer is lost, the comment is looked for instead of made again. */
async function existingComment(
  repo: RepoName,
  { task, key, known }: Omit<Placing, "body">,
  deps: Deps,
): Promise<string | undefined> {
  if (known === undefined) {
    await deps.store.savePublication({ key, remoteId: ANNOUNCED, digest: "" });
    return undefined;
  }
  if (known.remoteId !== ANNOUNCED) return known.remoteId;
  return deps.github.findComment(repo, task.issue, COMMENT_MARKER);
}
