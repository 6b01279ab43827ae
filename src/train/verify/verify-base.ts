import type { Sha } from "../../domain/ids.ts";
import { knownVerdict } from "../../domain/verification.ts";
import type { Verdict } from "../../domain/verification.ts";
import type { RepoContext } from "../../ports/deps.ts";
import { commandHash } from "../queue/policy.ts";
import type { TrainDeps } from "../queue/train-deps.ts";
import { verify } from "./verify.ts";

export interface VerifiedBase {
  readonly branch: string;
  readonly commit: Sha;
  readonly verdict: Verdict["verdict"];
  /** This is the end of what the commands printed, and the file that has all of it. */
  readonly tail: string;
  readonly logPath: string | undefined;
}

export interface BaseRequest {
  readonly signal: AbortSignal;
  /** It is called before each verification; a base that fails is verified twice, because one failure may be chance. */
  readonly begins: (commit: Sha, round: number) => void;
}

/** A verification that says nothing does not go on for ever. */
const MOST_ROUNDS = 2;

/** Verifies the base as the train would, which then knows the verdict. Setup runs also where nothing verifies. */
export async function verifyBase(
  given: RepoContext,
  { signal, begins }: BaseRequest,
  deps: TrainDeps,
): Promise<VerifiedBase> {
  const context = verifiable(given);
  const { repo, base } = context;
  const commit = await deps.git.fetchBranch(repo, base);
  const tree = await deps.git.treeOf(repo, commit);
  const verification = { kind: "base", commit, tree } as const;
  let last: Verdict | undefined;
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    begins(commit, round);
    await verify({ context, verification, signal }, deps);
    const verdicts = await deps.store.verdicts(repo, tree, commandHash(context.config));
    last = verdicts.at(-1);
    if (last?.verdict !== "red" || knownVerdict(verdicts) !== "unknown") break;
  }
  const { verdict = "green", tail = "", logPath } = last ?? {};
  return { branch: base, commit, verdict, tail, logPath };
}

function verifiable(context: RepoContext): RepoContext {
  const { config } = context;
  return { ...context, config: { ...config, verify: config.verify ?? "true" } };
}
