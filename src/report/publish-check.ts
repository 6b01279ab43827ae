import type { Deps, RepoContext } from "../deps.ts";
import type { Sha, TaskId } from "../domain/ids.ts";
import type { CheckReport } from "../ports/github.ts";
import { digest } from "../shared/digest.ts";
import { renderCheck } from "./render-check.ts";
import type { CheckText } from "./render-check.ts";
import type { TaskStory } from "./task-story.ts";
import { unlessRefused } from "./unless-refused.ts";

export const CHECK_NAME = "wavetrain";
const NONE = "";

/** One check run per pull request head. It is written when its verdict changes, not with every step on the way. */
export async function publishCheck(
  context: RepoContext,
  { story, head }: { readonly story: TaskStory; readonly head: Sha },
  deps: Deps,
): Promise<void> {
  const text = renderCheck({ ...story, position: undefined });
  await publishCheckText(context, { task: story.task.id, head, text }, deps);
}

interface Said {
  readonly task: TaskId;
  readonly head: Sha;
  readonly text: CheckText;
}

export async function publishCheckText(
  context: RepoContext,
  { task, head, text }: Said,
  deps: Deps,
): Promise<void> {
  const key = `check:${context.repo}@${head}`;
  const verdict = digest(verdictOf(text));
  const known = await deps.store.publication(key);
  if (known?.digest === verdict) return;
  const report = { repo: context.repo, head, name: CHECK_NAME, ...text };
  const refusable = { repo: context.repo, task, what: "check run" };
  const placed = await unlessRefused(refusable, deps, () =>
    placeCheck(known?.remoteId ?? NONE, report, deps),
  );
  await deps.store.savePublication({ key, remoteId: placed ?? NONE, digest: verdict });
}

async function placeCheck(id: string, report: CheckReport, deps: Deps): Promise<string> {
  if (id === NONE) return deps.github.createCheck(report);
  await deps.github.updateCheck(id, report);
  return id;
}

function verdictOf({ status, title }: CheckText): readonly string[] {
  return status === "queued" || status === "in-progress" ? ["pending"] : [status, title];
}
