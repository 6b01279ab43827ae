import type { Deps, RepoContext } from "../deps.ts";
import type { Sha } from "../domain/ids.ts";
import { digest } from "../shared/digest.ts";
import { renderCheck } from "./render-check.ts";
import type { CheckText } from "./render-check.ts";
import type { TaskStory } from "./task-story.ts";

const CHECK_NAME = "wavetrain";

/** One check run per pull request head. It is written when its verdict changes, not with every step on the way. */
export async function publishCheck(
  context: RepoContext,
  { story, head }: { readonly story: TaskStory; readonly head: Sha },
  deps: Deps,
): Promise<void> {
  const key = `check:${context.repo}@${head}`;
  const text = renderCheck({ ...story, position: undefined });
  const verdict = digest(verdictOf(text));
  const known = await deps.store.publication(key);
  if (known?.digest === verdict) return;
  const report = { repo: context.repo, head, name: CHECK_NAME, ...text };
  if (known === undefined) {
    const remoteId = await deps.github.createCheck(report);
    await deps.store.savePublication({ key, remoteId, digest: verdict });
    return;
  }
  await deps.github.updateCheck(known.remoteId, report);
  await deps.store.savePublication({ ...known, digest: verdict });
}

function verdictOf({ status, title }: CheckText): readonly string[] {
  return status === "queued" || status === "in-progress" ? ["pending"] : [status, title];
}
