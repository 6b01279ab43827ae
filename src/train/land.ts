import type { Deps } from "../deps.ts";
import type { Change, Intent } from "../domain/change.ts";
import type { Candidate, Entry } from "../domain/entry.ts";
import { runId } from "../domain/ids.ts";
import { publishCheck } from "../report/publish-check.ts";
import { renderCommitMessage, splitCommitMessage } from "../report/render-commit-message.ts";
import { landingKey } from "./decide-landing.ts";
import type { Landing } from "./landing.ts";
import { settleLanding } from "./settle-landing.ts";

/** Lands a verified entry if the base is still what it was verified on. What was about to happen is written down first. */
export async function land(landing: Landing, deps: Deps): Promise<void> {
  const { context, entry, task, run } = landing;
  const candidate = entry.evidence?.candidate;
  if (candidate === undefined) return;
  const tip = await deps.git.fetchBranch(context.repo, context.base);
  if (tip !== candidate.base) {
    await verifyAgain(landing, `${context.base} moved after #${entry.pull} was verified`, deps);
    return;
  }
  await publishCheck(context, { story: { task, entry, run }, head: entry.head }, deps);
  await deps.store.record(context.repo, openLanding(landing, candidate, deps));
  const { title, body } = renderLanding(landing, candidate);
  const outcome = await deps.github.mergePullRequest({
    repo: context.repo,
    pull: entry.pull,
    head: entry.head,
    method: context.config.merge,
    title,
    message: body,
  });
  const landingEntry: Entry = { ...entry, state: "landing" };
  await settleLanding({ ...landing, entry: landingEntry }, outcome, deps);
}

async function verifyAgain(landing: Landing, reason: string, deps: Deps): Promise<void> {
  const { entry, context } = landing;
  await deps.store.record(context.repo, [
    {
      kind: "entry-moved",
      entry: entry.id,
      from: "verified",
      to: "queued",
      reason,
      at: deps.clock.now(),
      set: { evidence: null },
    },
  ]);
}

function openLanding(
  { context, entry, task }: Landing,
  candidate: Candidate,
  deps: Deps,
): Change[] {
  const at = deps.clock.now();
  const intent: Intent = {
    key: landingKey(entry),
    repo: context.repo,
    kind: "land",
    subject: task.id,
    detail: { pull: entry.pull, head: entry.head, base: candidate.base, tree: candidate.tree },
    openedAt: at,
  };
  const reason = `landing on ${context.base}`;
  return [
    { kind: "intent-opened", intent },
    {
      ...{ kind: "entry-moved", entry: entry.id, from: "verified", to: "landing" },
      reason,
      at,
      set: {},
    },
  ];
}

function renderLanding(
  { task, entry, run }: Landing,
  candidate: Candidate,
): { readonly title: string; readonly body: string } {
  return splitCommitMessage(
    renderCommitMessage({
      title: task.spec.title,
      notes: "",
      pull: entry.pull,
      origin: { task: task.id, run: run?.id ?? runId("unknown"), base: candidate.base },
    }),
  );
}
