import type { Deps, RepoContext } from "../deps.ts";
import type { Verdict } from "../domain/verdict.ts";
import { knownVerdict } from "../domain/verdict.ts";
import { commandHash } from "./command-hash.ts";
import { publishGroupCheck } from "./publish-group-check.ts";
import { runChecks } from "./run-checks.ts";
import { runVerifyCommand } from "./run-verify-command.ts";
import type { Verification } from "./verification.ts";
import { commitOf } from "./verification.ts";
import type { Said, Verifying } from "./verifying.ts";

export interface VerificationInProgress {
  readonly context: RepoContext;
  readonly verification: Verification;
  readonly signal: AbortSignal;
}

/** Verifies exactly this tree and writes down what came of it, once: the train reads it from there. Throws when it was interrupted. */
export async function verify(
  { context, verification, signal }: VerificationInProgress,
  deps: Deps,
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
      ...{ repo, tree, commandHash: hash, command: config.verify ?? "", startedAt, at },
      ...suspicious({ said, tookMs: at - startedAt }, context),
    };
    await deps.store.record(repo, [{ kind: "verdict-given", verdict }]);
    deps.log.info({ repo, sha: commit, reason: verdict.verdict }, "candidate verified");
  }
  if (verification.kind === "group") await publishGroupCheck(work, deps);
}

/** Checks of others are asked of candidates; the base and GitHub's own groups have theirs from GitHub. */
async function judge(work: Verifying, { kind }: Verification, deps: Deps): Promise<Said> {
  const said = await runVerifyCommand(work, deps);
  if (said.verdict !== "green" || kind !== "batch") return said;
  return runChecks(work, said, deps);
}

/** A verification that had no time to look at anything has not looked at anything. */
function suspicious(
  { said, tookMs }: { readonly said: Said; readonly tookMs: number },
  { config }: RepoContext,
): Said {
  const least = config.train.minVerifyTime;
  if (said.verdict !== "green" || tookMs >= least) return said;
  return { verdict: "red", tail: `${said.tail}\ngreen after ${tookMs} ms, less than ${least} ms` };
}
