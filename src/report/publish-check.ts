import type { Deps, RepoContext } from "../deps.ts";
import type { Sha, TaskId } from "../domain/ids.ts";
import type { CheckReport, FileNote } from "../ports/github.ts";
import { digest } from "../shared/digest.ts";
import { BUTTONS } from "./check-buttons.ts";
import { renderCheck } from "./render-check.ts";
import type { CheckText } from "./render-check.ts";
import type { TaskStory } from "./task-story.ts";
import { unlessRefused } from "./unless-refused.ts";

export const CHECK_NAME = "wavetrain";
const NONE = "";
const PENDING = "pending";
/** Of these places in the train each is told; further back only that there is a queue. */
const TOLD_PLACES = 3;

/** One check run per pull request head. It is written when its verdict changes, not with every step on the way. */
export async function publishCheck(
  context: RepoContext,
  { story, head }: { readonly story: TaskStory; readonly head: Sha },
  deps: Deps,
): Promise<void> {
  const said = { task: story.task.id, head, text: renderCheck(story), place: story.position };
  await publishCheckText(context, { ...said, notes: notesOf(story) }, deps);
}

interface Said {
  readonly task: TaskId;
  readonly head: Sha;
  readonly text: CheckText;
  readonly place?: number | undefined;
  readonly notes?: readonly FileNote[];
}

export async function publishCheckText(
  context: RepoContext,
  { task, head, text, place, notes = [] }: Said,
  deps: Deps,
): Promise<void> {
  const key = `check:${context.repo}@${head}`;
  const verdict = digest(verdictOf(text, place));
  const known = await deps.store.publication(key);
  if (known?.digest === verdict) return;
  const report: CheckReport = {
    ...{ repo: context.repo, head, name: CHECK_NAME, ...text, buttons: BUTTONS },
    ...(known === undefined && { notes }),
  };
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

/** The next in line starts within moments: it is not worth a write. */
function verdictOf({ status, title }: CheckText, place: number | undefined): readonly string[] {
  if (status !== "queued" && status !== "in-progress") return [status, title];
  if (place === undefined || place === 1) return [PENDING];
  return [PENDING, place <= TOLD_PLACES ? String(place) : "further back"];
}

function notesOf({ run }: TaskStory): readonly FileNote[] {
  const outside = run?.outcome?.kind === "succeeded" ? run.outcome.outside : [];
  return outside.map((path) => ({ path, message: "The task did not declare this file." }));
}
