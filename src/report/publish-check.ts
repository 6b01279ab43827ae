import type { Deps, RepoContext } from "../deps.ts";
import type { Sha, TaskId } from "../domain/ids.ts";
import type { CheckReport, FileNote } from "../ports/github.ts";
import { digest } from "../shared/digest.ts";
import { BUTTONS } from "./check-buttons.ts";
import { verdictOf } from "./decide-reports.ts";
import type { Checked } from "./decide-reports.ts";
import { findAnnotations } from "./find-annotations.ts";
import type { Complaint } from "./find-annotations.ts";
import { CHECK_NAME, renderCheck } from "./render-check.ts";
import type { CheckText } from "./render-check.ts";
import type { TaskStory } from "./task-story.ts";
import { unlessRefused } from "./unless-refused.ts";

const NONE = "";

/** One check run per pull request head. It is written when its verdict changes, not with every step on the way. Whether it took a call. */
export async function publishCheck(
  context: RepoContext,
  { story, head }: Checked,
  deps: Deps,
): Promise<boolean> {
  const said = { task: story.task.id, head, text: renderCheck(story) };
  return publishCheckText(
    context,
    { ...said, notes: notesOf(story), annotations: complaintsOf(story) },
    deps,
  );
}

interface Said {
  readonly task: TaskId;
  readonly head: Sha;
  readonly text: CheckText;
  readonly notes?: readonly FileNote[];
  /** Sent along when the verdict becomes a failure. */
  readonly annotations?: readonly Complaint[];
}

/** The train and the report may have something to say of the same commit: one after the other, or there would be two check runs. */
export function publishCheckText(context: RepoContext, said: Said, deps: Deps): Promise<boolean> {
  const key = `check:${context.repo}@${said.head}`;
  return deps.publishing(key, () => placeText({ context, key }, said, deps));
}

async function placeText(
  { context, key }: { readonly context: RepoContext; readonly key: string },
  { task, head, text, notes = [], annotations = [] }: Said,
  deps: Deps,
): Promise<boolean> {
  const verdict = digest(verdictOf(text));
  const known = await deps.store.publication(key);
  if (known?.digest === verdict) return false;
  const report: CheckReport = {
    ...{ repo: context.repo, head, name: CHECK_NAME, ...text, buttons: BUTTONS },
    ...(known === undefined && { notes }),
    ...(text.status === "failure" && { annotations }),
  };
  const refusable = { repo: context.repo, task, what: "check run" };
  const placed = await unlessRefused(refusable, deps, () =>
    placeCheck(known?.remoteId ?? NONE, report, deps),
  );
  await deps.store.savePublication({ key, remoteId: placed ?? NONE, digest: verdict });
  return true;
}

async function placeCheck(id: string, report: CheckReport, deps: Deps): Promise<string> {
  if (id === NONE) return deps.github.createCheck(report);
  await deps.github.updateCheck(id, report);
  return id;
}

/** Where the verification failed, as far as its output names lines of the change. */
function complaintsOf({ run, entry }: TaskStory): readonly Complaint[] {
  if (entry?.evidence?.verdict !== "red" || run?.outcome?.kind !== "succeeded") return [];
  return findAnnotations(entry.evidence.tail, run.outcome.files);
}

function notesOf({ run }: TaskStory): readonly FileNote[] {
  const outside = run?.outcome?.kind === "succeeded" ? run.outcome.outside : [];
  return outside.map((path) => ({ path, message: "The task did not declare this file." }));
}
