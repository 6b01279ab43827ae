import type { CommandName } from "../../domain/given-command.ts";
import type { RepoName, Sha, TaskId } from "../../domain/ids.ts";
import type { TaskStory } from "../../domain/story/task-story.ts";
import type { Train } from "../../domain/train.ts";
import type { Deps, RepoContext } from "../../ports/deps.ts";
import type { CheckReport, FileNote, CheckButton } from "../../ports/github.ts";
import type { Publication } from "../../ports/store.ts";
import { digest } from "../../shared/digest.ts";
import { checkVersion } from "../decide/decide-reports.ts";
import type { Checked } from "../decide/decide-reports.ts";
import {
  findAnnotations,
  CHECK_NAME,
  renderBaseCheck,
  renderCheck,
} from "../render/render-check.ts";
import type { Complaint, CheckText } from "../render/render-check.ts";
import { unlessRefused } from "./unless-refused.ts";

/** The check run has no id yet: it is looked for before one is made. */
const ANNOUNCED = "";

/** These buttons stand on the check run of our pull requests. */
const KNOWN: readonly Button[] = [
  {
    identifier: "retry",
    says: "retry",
    label: "Retry",
    description: "Another attempt at the task",
  },
  {
    identifier: "replan",
    says: "plan",
    label: "Re-plan",
    description: "Show the present plan on the issue",
  },
  {
    identifier: "cancel",
    says: "cancel",
    label: "Cancel",
    description: "Stop the task, leave this open",
  },
];

const BUTTONS: readonly CheckButton[] = KNOWN.map(({ identifier, label, description }) => ({
  identifier,
  label,
  description,
}));

/**
 * Keeps one check run per pull request head. It is written when its verdict changes, not with every step on the way. Returns whether it
 * took a call.
 */
export async function publishCheck(
  context: RepoContext,
  { story, head }: Checked,
  deps: Pick<Deps, "github" | "log" | "publishing" | "store">,
): Promise<boolean> {
  const said = { task: story.task.id, head, text: renderCheck(story) };
  return publishCheckText(
    context,
    { ...said, notes: notesOf(story), annotations: complaintsOf(story) },
    deps,
  );
}

/** A commit that landed by fast-forward has a check run of its pull request, which is the one that is changed then. */
export function publishBaseCheck(
  context: RepoContext,
  { train, head }: { readonly train: Train; readonly head: Sha },
  deps: Pick<Deps, "github" | "log" | "publishing" | "store">,
): Promise<boolean> {
  const said = { task: undefined, head, text: renderBaseCheck(train) };
  return publishCheckText(context, said, deps);
}

interface CheckToPublish {
  /** The buttons speak of this task; the check run of a base branch has neither. */
  readonly task: TaskId | undefined;
  readonly head: Sha;
  readonly text: CheckText;
  readonly notes?: readonly FileNote[];
  /** They are sent along when the verdict becomes a failure. */
  readonly annotations?: readonly Complaint[];
}

/** The train and the report, of any server, may write about the same commit: they do so one after the other, or there would be two check runs. */
export function publishCheckText(
  context: RepoContext,
  said: CheckToPublish,
  deps: Pick<Deps, "github" | "log" | "publishing" | "store">,
): Promise<boolean> {
  const key = `check:${context.repo}@${said.head}`;
  return deps.publishing(key, () => placeText({ context, key }, said, deps));
}

async function placeText(
  { context, key }: { readonly context: RepoContext; readonly key: string },
  said: CheckToPublish,
  deps: Pick<Deps, "github" | "log" | "store">,
): Promise<boolean> {
  const { task, text } = said;
  const verdict = digest(checkVersion(text));
  const known = await deps.store.publication(key);
  if (known?.digest === verdict) return false;
  const isFirst = (known?.remoteId ?? ANNOUNCED) === ANNOUNCED;
  const report = reportOf(said, { repo: context.repo, isFirst });
  const refusable = { repo: context.repo, task, what: "check run" };
  const placed = await unlessRefused(refusable, deps, () =>
    placeCheck({ key, known }, report, deps),
  );
  await deps.store.savePublication({ key, remoteId: placed ?? ANNOUNCED, digest: verdict });
  return true;
}

function reportOf(
  { task, head, text, notes = [], annotations = [] }: CheckToPublish,
  { repo, isFirst }: { readonly repo: RepoName; readonly isFirst: boolean },
): CheckReport {
  return {
    repo,
    head,
    name: CHECK_NAME,
    ...text,
    ...(task !== undefined && { buttons: BUTTONS }),
    ...(isFirst && { notes }),
    ...(text.status === "failure" && { annotations }),
  };
}

interface CheckPlace {
  readonly key: string;
  readonly known: Publication | undefined;
}

async function placeCheck(
  place: CheckPlace,
  report: CheckReport,
  deps: Pick<Deps, "github" | "store">,
): Promise<string> {
  const id = await existingCheck(place, report, deps);
  if (id === undefined) return deps.github.createCheck(report);
  await deps.github.updateCheck(id, report);
  return id;
}

/** The first write is announced in the store: if its answer is lost, the check run is looked for instead of made again. */
async function existingCheck(
  { key, known }: CheckPlace,
  report: CheckReport,
  deps: Pick<Deps, "github" | "store">,
): Promise<string | undefined> {
  if (known === undefined) {
    await deps.store.savePublication({ key, remoteId: ANNOUNCED, digest: "" });
    return undefined;
  }
  return known.remoteId === ANNOUNCED ? deps.github.findCheck(report) : known.remoteId;
}

/** Finds the places where the verification failed, as far as its output names lines of the change. */
function complaintsOf({ run, entry }: TaskStory): readonly Complaint[] {
  if (entry?.evidence?.verdict !== "red" || run?.outcome?.kind !== "succeeded") return [];
  return findAnnotations(entry.evidence.tail, run.outcome.files);
}

function notesOf({ run }: TaskStory): readonly FileNote[] {
  const outside = run?.outcome?.kind === "succeeded" ? run.outcome.outside : [];
  return outside.map((path) => ({ path, message: "The task did not declare this file." }));
}

interface Button extends CheckButton {
  /** Pressing the button gives this command. */
  readonly says: Extract<CommandName, "retry" | "plan" | "cancel">;
}

/** Returns the command that pressing a button gives. */
export function saidByButton(identifier: string): Button["says"] | undefined {
  return KNOWN.find((button) => button.identifier === identifier)?.says;
}
