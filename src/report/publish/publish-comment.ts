import { taskIdOf } from "../../domain/ids.ts";
import type { RepoName } from "../../domain/ids.ts";
import type { TaskStory } from "../../domain/story/task-story.ts";
import type { Deps, RepoContext } from "../../ports/deps.ts";
import type { Publication } from "../../ports/store.ts";
import { digest } from "../../shared/digest.ts";
import { commentKey } from "../decide/decide-reports.ts";
import { renderAnswer } from "../render/render-answer.ts";
import type { AnswerView } from "../render/render-answer.ts";
import { COMMENT_MARKER, renderComment } from "../render/render-comment.ts";
import { unlessRefused } from "./unless-refused.ts";

/** The comment has no id yet: it is looked for before one is made. */
const ANNOUNCED = "";

/**
 * Keeps the one comment of an issue: it is made once, edited in place, and untouched while nothing changes. Returns whether it took a call.
 */
export async function publishComment(
  context: RepoContext,
  { story, answer }: { readonly story: TaskStory; readonly answer: AnswerView | undefined },
  deps: Pick<Deps, "github" | "log" | "lostStore" | "store">,
): Promise<boolean> {
  const { task } = story;
  const known = await deps.store.publication(commentKey(task.id));
  // There never was a comment: a cancelled task needs no first one.
  if (answer === undefined && known === undefined && task.state === "cancelled") return false;
  const attemptLimit = context.config.limits.attempts;
  const body = renderComment({ ...story, attemptLimit, answer });
  return publishBody({ repo: context.repo, issue: task.issue, body }, known, deps);
}

/** Writes the same comment where there is no task. */
export async function publishAnswer(
  repo: RepoName,
  { issue, answer }: { readonly issue: number; readonly answer: AnswerView },
  deps: Pick<Deps, "github" | "log" | "lostStore" | "store">,
): Promise<void> {
  const body = `${COMMENT_MARKER}\n${renderAnswer(answer).replace(/^---\n\n/, "")}\n`;
  await publishText({ repo, issue, body }, deps);
}

/** Writes the same comment with the caller's own text, which begins with the marker. */
export async function publishText(
  placing: Placing,
  deps: Pick<Deps, "github" | "log" | "lostStore" | "store">,
): Promise<void> {
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
  deps: Pick<Deps, "github" | "log" | "lostStore" | "store">,
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
  deps: Pick<Deps, "github" | "lostStore" | "store">,
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
  deps: Pick<Deps, "github" | "lostStore" | "store">,
): Promise<string | undefined> {
  if (known === undefined) {
    const key = commentKey(taskIdOf(repo, issue));
    await deps.store.savePublication({ key, remoteId: ANNOUNCED, digest: "" });
    if (!(await deps.lostStore.isNoted())) return undefined;
  } else if (known.remoteId !== ANNOUNCED) return known.remoteId;
  return deps.github.findComment(repo, issue, COMMENT_MARKER);
}
