import type { Change } from "../domain/change.ts";
import { leadingRun } from "../domain/explore/contenders.ts";
import { entryName } from "../domain/entry.ts";
import type { Candidate, Entry, Batch } from "../domain/entry.ts";
import { batchId, instant, runId } from "../domain/ids.ts";
import type { Sha } from "../domain/ids.ts";
import { afterConflict } from "../domain/retry.ts";
import type { Task } from "../domain/task.ts";
import type { Deps, RepoContext } from "../ports/deps.ts";
import type { CandidateOutcome, CandidatePart } from "../ports/git.ts";
import { renderCommitMessage } from "../report/render/render-commit-message.ts";
import { AppError } from "../shared/app-error.ts";
import { plainName } from "../shared/quote.ts";
import type { TrainAction, TrainPass } from "./queue/action.ts";
import { entryExplained, entryMoved, taskMoved, verifyingReason } from "./queue/entry-changes.ts";
import { retryPolicy } from "./queue/policy.ts";
import { recordUnder } from "./queue/with-merge-lock.ts";

type Build = Extract<TrainAction, { kind: "build" }>;

/** Builds the candidate in the mirror and writes down which entries are in it, to be verified next. It returns whether anything changed. */
export async function buildBatch(
  build: Build,
  pass: TrainPass,
  deps: Pick<Deps, "clock" | "git" | "host" | "log" | "operator" | "store">,
): Promise<boolean> {
  const changes = await changesFor(build, pass, deps);
  if (changes.length === 0) return false;
  await recordUnder(pass.lock, { repo: pass.context.repo, changes }, deps);
  return true;
}

/** Tells whether this host has the batch's commit: another host may have built it, or the mirror was made anew since. */
export async function candidateIsHere(
  { candidate }: Batch,
  { repo }: RepoContext,
  { git }: Pick<Deps, "git">,
): Promise<boolean> {
  try {
    return (await git.treeOf(repo, candidate.commit)) === candidate.tree;
  } catch (error) {
    if (error instanceof AppError && error.code === "git-failed") return false;
    throw error;
  }
}

async function changesFor(
  build: Build,
  pass: TrainPass,
  deps: Pick<Deps, "clock" | "git" | "host" | "log" | "operator" | "store">,
): Promise<readonly Change[]> {
  const { entries } = build;
  try {
    const moved = await findMoved(entries, pass, deps);
    if (moved !== undefined) return headMoved(moved, pass, deps);
    const built = await buildLongest(build, pass, deps);
    return changesAfter(built, build, { pass, deps });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    deps.log.warn({ repo: pass.context.repo, err: error }, "candidate not built");
    return pausedAll(entries, { reason: error.message }, deps);
  }
}

async function findMoved(
  entries: readonly Entry[],
  { context, tasks }: TrainPass,
  deps: Pick<Deps, "git">,
): Promise<Entry | undefined> {
  const branchOf = (entry: Entry): string =>
    tasks.find(({ id }) => id === entry.task)?.branch ?? "";
  const tips = await deps.git.fetchBranches(context.repo, entries.map(branchOf));
  return entries.find((entry) => tips.get(branchOf(entry)) !== entry.head);
}

function headMoved(
  entry: Entry,
  { tasks }: TrainPass,
  deps: Pick<Deps, "clock">,
): readonly Change[] {
  const move = {
    reason: `${entryName(entry)} has new commits since it was approved`,
    at: deps.clock.now(),
  };
  const task = tasks.find(({ id }) => id === entry.task);
  const back = task?.state === "queued" ? [taskMoved(task, "review", move)] : [];
  return [entryMoved(entry, "superseded", move), ...back];
}

/** Builds as many entries from the front as fit on top of each other. */
async function buildLongest(
  { entries, onto }: Build,
  { context, policy, tasks, runs }: TrainPass,
  deps: Pick<Deps, "git">,
): Promise<CandidateOutcome> {
  const { repo } = context;
  const parts: readonly CandidatePart[] = entries.map((entry) => ({
    entry: entry.id,
    head: entry.head,
    message: landingMessage(entry, {
      base: onto,
      task: tasks.find(({ id }) => id === entry.task),
      run: leadingRun(entry.task, runs)?.id ?? runId("unknown"),
    }),
  }));
  const request = { repo, base: onto, method: policy.method };
  const built = await deps.git.buildCandidate({ ...request, parts });
  if (built.kind === "built" || built.at === 0) return built;
  return deps.git.buildCandidate({ ...request, parts: parts.slice(0, built.at) });
}

function landingMessage(
  entry: Entry,
  origin: {
    readonly base: Sha;
    readonly task: Task | undefined;
    readonly run: ReturnType<typeof runId>;
  },
): string {
  const { base, task, run } = origin;
  return renderCommitMessage({
    title: task?.spec.title ?? "",
    notes: "",
    pull: entry.pull,
    origin: { task: entry.task, run, base, objective: task?.spec.objective },
  });
}

interface World {
  readonly pass: TrainPass;
  readonly deps: Pick<Deps, "clock" | "host" | "operator" | "store">;
}

function changesAfter(
  built: CandidateOutcome,
  { entries, first }: Build,
  { pass, deps }: World,
): readonly Change[] {
  if (built.kind === "built") return verificationChanges(entries, built.candidate, { pass, deps });
  const [entry] = entries;
  if (entry === undefined) return [];
  if (built.kind === "missing") return pausedAll([entry], built, deps);
  const paths = built.paths.map(plainName).join(", ");
  // It conflicts only with entries ahead of it. Those may not land, and then there is no conflict.
  if (!first) {
    const reason = `${entryName(entry)} conflicts in ${paths} with what is ahead of it`;
    return entryExplained(entry, reason, deps.clock.now());
  }
  return conflicting(entry, `${entryName(entry)} conflicts with ${entry.base} in ${paths}`, {
    pass,
    deps,
  });
}

function verificationChanges(
  entries: readonly Entry[],
  candidate: Candidate,
  { pass, deps }: World,
): readonly Change[] {
  const at = deps.clock.now();
  const batch = batchId(candidate.commit);
  const members = entries.slice(0, candidate.steps.length);
  const checks = pass.policy.checks.map(({ name }) => name).join(", ");
  const reason = verifyingReason(members, candidate, checks);
  return members.map((entry, place) =>
    entryMoved(entry, "verifying", { reason, at, set: { batch, place, candidate } }),
  );
}

/** The change needs a new run that sees the conflict. Its neighbours go on. */
function conflicting(entry: Entry, reason: string, { pass, deps }: World): readonly Change[] {
  const now = deps.clock.now();
  const rejected = entryMoved(entry, "rejected", { reason, at: now });
  const task = pass.tasks.find(({ id }) => id === entry.task);
  if (task?.state !== "queued") return [rejected];
  const policy = retryPolicy(pass.context, deps);
  const failure = { task, what: reason, policy, now, jitter: deps.host.random() };
  const { entries } = pass;
  const { conflicts: limit } = pass.context.config.feedback.limit;
  return [rejected, afterConflict(failure, { entries, limit })];
}

function pausedAll(
  entries: readonly Entry[],
  { reason }: { readonly reason: string },
  deps: Pick<Deps, "clock" | "operator">,
): readonly Change[] {
  const at = deps.clock.now();
  const notBefore = instant(at + deps.operator.retry.backoff);
  return entries.map((entry) => entryMoved(entry, "queued", { reason, at, set: { notBefore } }));
}
