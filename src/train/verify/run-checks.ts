import type { Change } from "../../domain/change.ts";
import type { Entry } from "../../domain/entry.ts";
import type { Instant } from "../../domain/ids.ts";
import type { Deps } from "../../ports/deps.ts";
import type { RequiredCheck } from "../../ports/github.ts";
import { AppError } from "../../shared/app-error.ts";
import { sleep } from "../../shared/sleep.ts";
import { stateOfCheck } from "../queue/check-state.ts";
import { entryMoved, verifyingReason } from "../queue/entry-changes.ts";
import { checkFromText } from "../queue/policy.ts";
import { interrupted } from "./run-verify-command.ts";
import type { VerificationResult, VerificationWork } from "./run-verify-command.ts";

/** Shows the candidate to everyone who checks branches, and waits for the checks that the configuration names. */
export async function runChecks(
  work: VerificationWork,
  said: VerificationResult,
  deps: Pick<Deps, "clock" | "git" | "github" | "operator" | "store" | "wake">,
): Promise<VerificationResult> {
  const { context, commit } = work;
  const wanted = context.config.train.checks.map(checkFromText);
  if (wanted.length === 0) return said;
  const ref = candidateRef({ base: context.base, commit });
  const staged = await deps.git.stageCommit(context.repo, ref, commit);
  if (staged.kind === "rejected") {
    throw new AppError("git-failed", `cannot show the candidate: ${staged.reason}`);
  }
  try {
    return await waitForChecks(work, { wanted, said }, deps);
  } finally {
    await deps.git.unstage(context.repo, ref);
  }
}

/** Others' checks find the candidate under this ref. It is named after the commit, so that two candidates never share one. */
function candidateRef({ base, commit }: { base: string; commit: string }): string {
  return `refs/heads/wavetrain/candidate/${base}/${commit.slice(0, 12)}`;
}

interface Wanted {
  readonly wanted: readonly RequiredCheck[];
  readonly said: VerificationResult;
}

async function waitForChecks(
  work: VerificationWork,
  { wanted, said }: Wanted,
  deps: Pick<Deps, "clock" | "github" | "operator" | "store" | "wake">,
): Promise<VerificationResult> {
  const { context, commit, signal } = work;
  const deadline = deps.clock.now() + context.config.train.checksTimeout;
  for (;;) {
    if (signal.aborted) throw interrupted();
    const facts = await deps.github.checksOf(context.repo, commit);
    const states = wanted.map((check) => stateOfCheck(check, facts));
    const failed = wanted.filter((_, at) => states[at] === "failure");
    if (failed.length > 0) {
      return { ...said, verdict: "red", tail: `${said.tail}\nfailed: ${named(failed)}` };
    }
    const missing = wanted.filter((_, at) => states[at] !== "success");
    if (missing.length === 0) return said;
    await tellMissing(work, named(missing), deps);
    if (deps.clock.now() >= deadline) {
      return { ...said, verdict: "timed-out", tail: `nobody reported ${named(missing)}` };
    }
    await sleep(deps.operator.retry.backoff, deps.clock, signal);
  }
}

function named(checks: readonly RequiredCheck[]): string {
  return checks.map(({ name }) => name).join(", ");
}

/** Makes the entries under verification name the checks that are still missing, if that is news. */
async function tellMissing(
  { context, commit }: Pick<VerificationWork, "context" | "commit">,
  missing: string,
  deps: Pick<Deps, "clock" | "store" | "wake">,
): Promise<void> {
  const { entries } = await deps.store.readRepo(context.repo);
  const members = entries.filter(
    ({ state, candidate }) => state === "verifying" && candidate?.commit === commit,
  );
  const at = deps.clock.now();
  const changes = members.flatMap((entry) => explained(entry, { members, missing, at }));
  if (changes.length === 0) return;
  try {
    await deps.store.record(context.repo, changes);
    deps.wake(context.repo, "we-changed");
  } catch (error) {
    // The train moved one of them meanwhile, and the reason that it wrote is newer.
    if (!(error instanceof AppError && error.code === "store-conflict")) throw error;
  }
}

function explained(
  entry: Entry,
  now: { readonly members: readonly Entry[]; readonly missing: string; readonly at: Instant },
): readonly Change[] {
  const { members, missing, at } = now;
  if (entry.candidate === undefined) return [];
  const inOrder = members.toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0));
  const reason = verifyingReason(inOrder, entry.candidate, missing);
  return entry.reason === reason ? [] : [entryMoved(entry, "verifying", { reason, at })];
}
