import { leadingRun } from "../domain/candidates.ts";
import type { Deps } from "../deps.ts";
import type { Entry } from "../domain/entry.ts";
import { entryName } from "../domain/entry.ts";
import { publishCheck } from "../report/publish-check.ts";
import { renderCommitMessage, splitCommitMessage } from "../report/render-commit-message.ts";
import { runId } from "../domain/ids.ts";
import type { RefsOutcome } from "../ports/github.ts";
import type { Batch } from "./batch.ts";
import { decideOpenLanding } from "./decide-landing.ts";
import { OUT_OF_BATCH, entryMoved } from "./entry-changes.ts";
import { fastForward } from "./fast-forward.ts";
import { settleLanding } from "./settle-landing.ts";
import type { TrainPass } from "./train-pass.ts";
import { recordUnder } from "./with-merge-lock.ts";

/** Lands a verified batch if the base is still what it was verified on. What was about to happen is written down first. */
export async function land(batch: Batch, pass: TrainPass, deps: Deps): Promise<void> {
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
  await settleLanding({ batch: landing, outcome }, pass, deps);
}

/** The base, the heads and the pull requests are as they were verified, as far as this pass has looked. */
async function findObstacle(
  { candidate, entries }: Batch,
  { context, look }: TrainPass,
  deps: Deps,
): Promise<string | undefined> {
  const { repo, base } = context;
  const tip = await deps.git.fetchBranch(repo, base);
  if (tip !== candidate.base) return `${base} moved after the verification`;
  const changed = entries.find((entry) => hasChanged(entry, base, look));
  if (changed === undefined) return undefined;
  deps.wake(repo, "github-changed");
  return `${entryName(changed)} changed after the verification`;
}

/** What was not looked at may be anything. */
function hasChanged(entry: Entry, base: string, look: TrainPass["look"]): boolean {
  if (entry.pull === undefined) return false;
  const pull = look?.pulls.get(entry.pull);
  return pull?.state !== "open" || pull.head !== entry.head || pull.draft || pull.base !== base;
}

async function verifyAgain(
  { entries }: Batch,
  { pass, reason }: { readonly pass: TrainPass; readonly reason: string },
  deps: Deps,
): Promise<void> {
  const move = { reason, at: deps.clock.now(), set: OUT_OF_BATCH };
  const changes = entries.map((entry) => entryMoved(entry, "queued", move));
  await recordUnder(pass.lock, { repo: pass.context.repo, changes }, deps);
}

/** Where GitHub itself merges, or a rule of the branch asks for our check, it has to be there before; elsewhere nothing waits for it. */
async function tellVerified(batch: Batch, pass: TrainPass, deps: Deps): Promise<void> {
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
  deps: Deps,
): Promise<void> {
  // At once: they wait for GitHub's budget together, not one after the other.
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
  deps: Deps,
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
    ...{ repo: context.repo, pull: entry.pull, head: entry.head, method: policy.method },
    ...{ title, message: body },
  });
  switch (outcome.kind) {
    case "merged":
      return { kind: "moved" };
    case "head-moved":
      return { kind: "stale", reason: "its head moved" };
    case "base-moved":
      return { kind: "stale", reason: "the base branch moved" };
    case "refused":
    case "unknown":
      return outcome;
  }
}
