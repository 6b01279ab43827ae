import { leadingRun } from "../../domain/explore/contenders.ts";
import { entryName } from "../../domain/entry.ts";
import type { Batch, Entry } from "../../domain/entry.ts";
import { runId } from "../../domain/ids.ts";
import type { Deps } from "../../ports/deps.ts";
import type { RefsOutcome } from "../../ports/github.ts";
import { publishCheck } from "../../report/publish/publish-check.ts";
import {
  renderCommitMessage,
  splitCommitMessage,
} from "../../report/render/render-commit-message.ts";
import type { TrainPass } from "../queue/action.ts";
import { OUT_OF_BATCH, entryMoved } from "../queue/entry-changes.ts";
import type { TrainDeps } from "../queue/train-deps.ts";
import { recordUnder } from "../queue/with-merge-lock.ts";
import { decideOpenLanding } from "./decide-landing.ts";
import { fastForward } from "./fast-forward.ts";
import { resolveLanding } from "./resolve-landing.ts";

/** Lands a verified batch if the base is still the one that it was verified on. The intent is written down first. */
export async function land(batch: Batch, pass: TrainPass, deps: TrainDeps): Promise<void> {
  const obstacle = await findObstacle(batch, pass, deps);
  if (obstacle !== undefined) {
    await verifyAgain(batch, { pass, reason: obstacle }, deps);
    return;
  }
  await tellVerified(batch, pass, deps);
  const { context, policy, train, tasks } = pass;
  const opened = decideOpenLanding(
    { batch, tasks, train, now: deps.clock.now() },
    { base: context.base, mode: policy.landing },
  );
  await recordUnder(pass.lock, { repo: context.repo, changes: opened }, deps);
  const landing: Batch = {
    ...batch,
    entries: batch.entries.map((entry) => ({ ...entry, state: "landing" })),
  };
  const outcome =
    policy.landing === "merge-api"
      ? await mergeByApi(landing, pass, deps)
      : await fastForward(landing, pass, deps);
  await resolveLanding({ batch: landing, outcome }, pass, deps);
}

/** Says whether the base, a head or a pull request changed since the verification, as far as this pass has looked. */
async function findObstacle(
  { candidate, entries }: Batch,
  { context, look }: TrainPass,
  deps: Pick<Deps, "git" | "wake">,
): Promise<string | undefined> {
  const { repo, base } = context;
  const tip = await deps.git.fetchBranch(repo, base);
  if (tip !== candidate.base) return `${base} moved after the verification`;
  const changed = entries.find((entry) => hasChanged(entry, base, look));
  if (changed === undefined) return undefined;
  deps.wake(repo, "github-changed");
  return `${entryName(changed)} changed after the verification`;
}

/** A pull request that this pass did not look at counts as changed. */
function hasChanged(entry: Entry, base: string, look: TrainPass["look"]): boolean {
  if (entry.pull === undefined) return false;
  const pull = look?.pulls.get(entry.pull);
  return pull?.state !== "open" || pull.head !== entry.head || pull.draft || pull.base !== base;
}

async function verifyAgain(
  { entries }: Batch,
  { pass, reason }: { readonly pass: TrainPass; readonly reason: string },
  deps: Pick<Deps, "clock" | "store">,
): Promise<void> {
  const move = { reason, at: deps.clock.now(), set: OUT_OF_BATCH };
  const changes = entries.map((entry) => entryMoved(entry, "queued", move));
  await recordUnder(pass.lock, { repo: pass.context.repo, changes }, deps);
}

/** Our check must be there first where GitHub itself merges, or where a rule of the branch asks for it. Elsewhere nothing waits for it. */
async function tellVerified(
  batch: Batch,
  pass: TrainPass,
  deps: Pick<Deps, "clock" | "github" | "log" | "publishing" | "store">,
): Promise<void> {
  const { landing, needsOurCheck } = pass.policy;
  const told = publishVerified(batch, pass, deps);
  if (landing !== "fast-forward" || needsOurCheck) return told;
  told.catch((err: unknown) => {
    deps.log.warn({ repo: pass.context.repo, err }, "verdict not told");
  });
}

async function publishVerified(
  { entries }: Batch,
  { context, tasks, runs }: TrainPass,
  deps: Pick<Deps, "clock" | "github" | "log" | "publishing" | "store">,
): Promise<void> {
  // All are published at once: they wait for GitHub's budget together, not one after the other.
  const published = entries.map(async (entry) => {
    const task = tasks.find(({ id }) => id === entry.task);
    if (task === undefined || entry.pull === undefined) return;
    const run = leadingRun(task.id, runs);
    await publishCheck(context, { story: { task, entry, run }, head: entry.head }, deps);
  });
  await Promise.allSettled(published);
  await Promise.all(published);
}

async function mergeByApi(
  { entries, candidate }: Batch,
  { context, policy, tasks, runs, lock }: TrainPass,
  deps: Pick<Deps, "github">,
): Promise<RefsOutcome> {
  const [entry] = entries;
  if (entry?.pull === undefined) {
    return { kind: "refused", reason: "without a pull request there is nothing to merge" };
  }
  const task = tasks.find(({ id }) => id === entry.task);
  const run = leadingRun(entry.task, runs)?.id ?? runId("unknown");
  const origin = { task: entry.task, run, base: candidate.base, objective: task?.spec.objective };
  const { title, body } = splitCommitMessage(
    renderCommitMessage({ title: task?.spec.title ?? "", notes: "", pull: entry.pull, origin }),
  );
  const outcome = await deps.github.mergePullRequest(lock, {
    repo: context.repo,
    pull: entry.pull,
    head: entry.head,
    method: policy.method,
    title,
    message: body,
  });
  switch (outcome.kind) {
    case "merged":
      return { kind: "moved" };
    case "head-moved":
      return { kind: "stale", reason: "its head moved" };
    case "refused":
    case "unknown":
      return outcome;
  }
}
