import { knownVerdict, commitOf } from "../../domain/verification.ts";
import type { Verdict, Verification } from "../../domain/verification.ts";
import type { Deps, RepoContext } from "../../ports/deps.ts";
import { CHECK_NAME } from "../../report/render/render-check.ts";
import { commandHash } from "../queue/policy.ts";
import type { TrainDeps } from "../queue/train-deps.ts";
import { runChecks } from "./run-checks.ts";
import { runVerifyCommand } from "./run-verify-command.ts";
import type { VerificationResult, VerificationWork } from "./run-verify-command.ts";

export interface VerificationInProgress {
  readonly context: RepoContext;
  readonly verification: Verification;
  readonly signal: AbortSignal;
}

/** Verifies exactly this tree and records one verdict, which the train reads from the store. It throws when it was interrupted. */
export async function verify(
  { context, verification, signal }: VerificationInProgress,
  deps: TrainDeps,
): Promise<void> {
  const { repo, config } = context;
  const commit = commitOf(verification);
  const tree = await deps.git.treeOf(repo, commit);
  const hash = commandHash(config);
  const known = await deps.store.verdicts(repo, tree, hash);
  const work = { context, commit, tree, signal };
  if (knownVerdict(known) === "unknown") {
    const startedAt = deps.clock.now();
    const said = await judge(work, verification, deps);
    const at = deps.clock.now();
    const verdict: Verdict = {
      id: `${tree}:${hash.slice(0, 16)}:${commit.slice(0, 12)}:${at}:${known.length}`,
      repo,
      tree,
      commandHash: hash,
      command: config.verify ?? "",
      startedAt,
      at,
      ...suspicious({ said, tookMs: at - startedAt }, context),
    };
    await deps.store.record(repo, [{ kind: "verdict-given", verdict }]);
    deps.log.info({ repo, sha: commit, reason: verdict.verdict }, "candidate verified");
  }
  if (verification.kind === "group") await publishGroupCheck(work, deps);
}

/** Only candidates wait for the checks of others. GitHub itself runs those checks for the base and for its own groups. */
async function judge(
  work: VerificationWork,
  { kind }: Verification,
  deps: TrainDeps,
): Promise<VerificationResult> {
  const said = await runVerifyCommand(work, deps);
  if (said.verdict !== "green" || kind !== "batch") return said;
  return runChecks(work, said, deps);
}

/** A verification that was too fast has not looked at anything, so its green counts as red. */
function suspicious(
  { said, tookMs }: { readonly said: VerificationResult; readonly tookMs: number },
  { config }: RepoContext,
): VerificationResult {
  const least = config.train.minVerifyTime;
  if (said.verdict !== "green" || tookMs >= least) return said;
  return {
    ...said,
    verdict: "red",
    tail: `${said.tail}\ngreen after ${tookMs} ms, less than ${least} ms`,
  };
}

/** Answers the merge queue's question, once for each group. */
async function publishGroupCheck(
  { context, commit, tree }: VerificationWork,
  deps: Pick<Deps, "github" | "store">,
): Promise<void> {
  const { repo, config } = context;
  const verdicts = await deps.store.verdicts(repo, tree, commandHash(config));
  const verdict = knownVerdict(verdicts);
  if (verdict === "unknown") return;
  const key = `group:${repo}@${commit}`;
  if ((await deps.store.publication(key)) !== undefined) return;
  const green = verdict === "green";
  const remoteId = await deps.github.createCheck({
    repo,
    head: commit,
    name: CHECK_NAME,
    status: green ? "success" : "failure",
    title: green ? "Verified" : "Fails the verify command",
    summary: green ? "Exactly this tree was verified." : (verdicts.at(-1)?.tail ?? ""),
  });
  await deps.store.savePublication({ key, remoteId, digest: verdict });
}
