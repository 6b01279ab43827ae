import type { Deps, RepoContext } from "../deps.ts";
import { taskIdOf } from "../domain/ids.ts";
import type { RepoName } from "../domain/ids.ts";
import { wasStoreLost } from "../lost-store.ts";
import type { Publication } from "../ports/store.ts";
import { digest } from "../shared/digest.ts";
import { commentKey } from "./decide-reports.ts";
import { renderAnswer } from "./render-answer.ts";
import type { AnswerView } from "./render-answer.ts";
import { COMMENT_MARKER, renderComment } from "./render-comment.ts";
import type { TaskStory } from "./task-story.ts";
import { unlessRefused } from "./unless-refused.ts";

/** No id yet: the comment is looked for before one is made. */
const ANNOUNCED = "";

/** The one comment of an issue: made once, edited in place, untouched while nothing changes. Whether it took a call. */
export async function publishComment(
  context: RepoContext,
  { story, answer }: { readonly story: TaskStory; readonly answer: AnswerView | undefined },
  deps: Deps,
): Promise<boolean> {
  const { task, run, entry } = story;
  const known = await deps.store.publication(commentKey(task.id));
  // Nothing was ever said of it: nobody has to be told that there is nothing any more.
  if (answer === undefined && known === undefined && task.state === "cancelled") return false;
  const attemptLimit = context.config.limits.attempts;
  const body = renderComment({ task, run, entry, attemptLimit, answer });
  return publishBody({ repo: context.repo, issue: task.issue, body }, known, deps);
}

/** The same comment where there is no task to tell of. */
export async function publishAnswer(
  repo: RepoName,
  { issue, answer }: { readonly issue: number; readonly answer: AnswerView },
  deps: Deps,
): Promise<void> {
  const body = `${COMMENT_MARKER}\n${renderAnswer(answer).replace(/^---\n\n/, "")}\n`;
  await publishText({ repo, issue, body }, deps);
}

/** The same comment with a text of the caller's own, which begins with the marker. */
export async function publishText(placing: Placing, deps: Deps): Promise<void> {
  const { repo, issue } = placing;
  const known = await deps.store.publication(commentKey(taskIdOf(repo, issue)));
  await publishBody(placing, known, deps);
}

interface Placing {
  readonly repo: RepoName;
  readonly issue: number;
  readonly body: string;
}

async function publishBody(
  placing: Placing,
  known: Publication | undefined,
  deps: Deps,
): Promise<boolean> {
  const { repo, issue, body } = placing;
  const hash = digest(body);
  if (known?.digest === hash) return false;
  const task = taskIdOf(repo, issue);
  const report = { repo, task, what: "comment" };
  const placed = await unlessRefused(report, deps, () => placeComment(placing, known, deps));
  const remoteId = placed ?? ANNOUNCED;
  await deps.store.savePublication({ key: commentKey(task), remoteId, digest: hash });
  return true;
}

/** Puts the text where it belongs and returns the comment's id. */
async function placeComment(
  placing: Placing,
  known: Publication | undefined,
  deps: Deps,
): Promise<string> {
  const { repo, issue, body } = placing;
  const existing = await existingComment(placing, known, deps);
  if (existing === undefined) return deps.github.createComment(repo, issue, body);
  await deps.github.updateComment(repo, existing, body);
  return existing;
}

/** The first write is announced in the store: if its answer is lost, the comment is looked for instead of made again. */
async function existingComment(
  { repo, issue }: Placing,
  known: Publication | undefined,
  deps: Deps,
): Promise<string | undefined> {
  if (known === undefined) {
    const key = commentKey(taskIdOf(repo, issue));
    await deps.store.savePublication({ key, remoteId: ANNOUNCED, digest: "" });
    if (!(await wasStoreLost(deps))) return undefined;
  } else if (known.remoteId !== ANNOUNCED) return known.remoteId;
  return deps.github.findComment(repo, issue, COMMENT_MARKER);
}
