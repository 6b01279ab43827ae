import type { CommandName } from "../../domain/given-command.ts";
import type { RepoName, Sha, TaskId } from "../../domain/ids.ts";
import type { TaskStory } from "../../domain/story/task-story.ts";
import type { Train } from "../../domain/train.ts";
import type { Deps, RepoContext } from "../../ports/deps.ts";
import type { CheckReport, FileNote, CheckButton } from "../../ports/github.ts";
import { digest } from "../../shared/digest.ts";
import { GREEN, checkVersion, isPending } from "../decide/decide-reports.ts";
import type { Checked } from "../decide/decide-reports.ts";
import {
  findAnnotations,
  CHECK_NAME,
  renderBaseCheck,
  renderCheck,
} from "../render/render-check.ts";
import type { Complaint, CheckText } from "../render/render-check.ts";
import { markFrom, publicationOf } from "./check-mark.ts";
import type { CheckMark } from "./check-mark.ts";
import { unlessRefused } from "./unless-refused.ts";

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
 * Keeps the check of a pull request's head true. It is written when its verdict changes, not with every step on the way. Returns whether
 * it took a call.
 */
export async function publishCheck(
  context: RepoContext,
  { story, head }: Checked,
  deps: Pick<Deps, "clock" | "github" | "log" | "publishing" | "store">,
): Promise<boolean> {
  const said = { task: story.task.id, head, text: renderCheck(story) };
  return publishCheckText(
    context,
    { ...said, notes: notesOf(story), annotations: complaintsOf(story) },
    deps,
  );
}

/** A commit that landed by fast-forward has a check run of its pull request; the one that says that the base fails is newer. */
export function publishBaseCheck(
  context: RepoContext,
  { train, head }: { readonly train: Train; readonly head: Sha },
  deps: Pick<Deps, "clock" | "github" | "log" | "publishing" | "store">,
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

/** The train and the report, of any server, may write about the same commit: they do so one after the other, or both would make a check run. */
export function publishCheckText(
  context: RepoContext,
  said: CheckToPublish,
  deps: Pick<Deps, "clock" | "github" | "log" | "publishing" | "store">,
): Promise<boolean> {
  const key = keyOf(context.repo, said.head);
  return deps.publishing(key, () => placeText({ context, key }, said, deps));
}

/**
 * Returns those of the commits whose check run still says that the change is verified, although its entry has moved on since. An entry
 * that was read before the train said so has not.
 */
export async function readGreen(
  repo: RepoName,
  checked: readonly Checked[],
  { store }: Pick<Deps, "store">,
): Promise<ReadonlySet<Sha>> {
  const ridden = checked.flatMap(({ story: { entry }, head }) =>
    entry === undefined ? [] : [{ head, movedAt: entry.changedAt }],
  );
  if (ridden.length === 0) return new Set();
  const known = await store.publications(ridden.map(({ head }) => keyOf(repo, head)));
  const green = digest(GREEN);
  const outdated = ridden.filter(({ head, movedAt }) => {
    const mark = markFrom(known.get(keyOf(repo, head)));
    return mark?.version === green && movedAt >= mark.at;
  });
  return new Set(outdated.map(({ head }) => head));
}

function keyOf(repo: RepoName, head: Sha): string {
  return `check:${repo}@${head}`;
}

async function placeText(
  { context, key }: { readonly context: RepoContext; readonly key: string },
  said: CheckToPublish,
  deps: Pick<Deps, "clock" | "github" | "log" | "store">,
): Promise<boolean> {
  const { task, text } = said;
  const version = digest(checkVersion(text));
  const mark = markFrom(await deps.store.publication(key));
  const isWritten = mark?.step === "done" || mark?.step === "refused";
  if (isWritten && mark.version === version) return false;
  const wanted = { version, completed: !isPending(text), at: deps.clock.now(), after: "" };
  const refusable = { repo: context.repo, task, what: "check run" };
  const place = { repo: context.repo, key, mark, wanted };
  const id = await unlessRefused(refusable, deps, () => placeCheck(place, said, deps));
  const written: CheckMark =
    id === undefined ? { ...wanted, step: "refused", id: "" } : { ...wanted, step: "done", id };
  await deps.store.savePublication(publicationOf(key, written));
  return true;
}

function reportOf(
  { task, head, text, notes = [], annotations = [] }: CheckToPublish,
  { repo, isNew }: { readonly repo: RepoName; readonly isNew: boolean },
): CheckReport {
  return {
    repo,
    head,
    name: CHECK_NAME,
    ...text,
    ...(task !== undefined && { buttons: BUTTONS }),
    ...(isNew && { notes }),
    ...(text.status === "failure" && { annotations }),
  };
}

interface CheckPlace {
  readonly repo: RepoName;
  readonly key: string;
  readonly mark: CheckMark | undefined;
  readonly wanted: Omit<CheckMark, "step" | "id">;
}

async function placeCheck(
  place: CheckPlace,
  said: CheckToPublish,
  deps: Pick<Deps, "github" | "store">,
): Promise<string> {
  const { repo, key, mark, wanted } = place;
  const present = await presentRun(mark, { repo, head: said.head, name: CHECK_NAME }, deps);
  if (present === undefined || isPast(present, wanted)) {
    const announced: CheckMark = { ...wanted, step: "making", id: "", after: present?.id ?? "" };
    await deps.store.savePublication(publicationOf(key, announced));
    return deps.github.createCheck(reportOf(said, { repo, isNew: true }));
  }
  const { id } = present;
  if (mark?.step === "making" && present.version === wanted.version) return id;
  await deps.store.savePublication(publicationOf(key, { ...wanted, step: "updating", id }));
  await deps.github.updateCheck(id, reportOf(said, { repo, isNew: false }));
  return id;
}

type PresentRun = Pick<CheckMark, "id" | "completed" | "version">;

/** GitHub keeps a completed run completed, so what is said next needs a run of its own, which counts from then on. */
function isPast({ completed, version }: PresentRun, wanted: CheckPlace["wanted"]): boolean {
  return completed && version !== wanted.version;
}

/** Returns the newest run of the commit as far as it is known. A run whose making was announced is looked for. */
async function presentRun(
  mark: CheckMark | undefined,
  wanted: Parameters<Deps["github"]["findCheck"]>[0],
  { github }: Pick<Deps, "github">,
): Promise<PresentRun | undefined> {
  if (mark === undefined || mark.id !== "") return mark;
  const id = await github.findCheck(wanted);
  if (id === undefined) return undefined;
  // It is the run from before the announcement: the announced one was never made.
  const isOld = mark.step === "refused" || id === mark.after;
  return isOld ? { id, completed: true, version: "" } : { ...mark, id };
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
