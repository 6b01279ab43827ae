import type { RepoName, Sha } from "../../../domain/ids.ts";
import type { PushOutcome } from "../../../ports/git.ts";
import type { MirrorCommand, MirrorGit } from "../mirror/mirror-git.ts";
import { gitFailed } from "../run/run-git.ts";
import { remoteAccess } from "./remote-access.ts";

// This lasts for some hours; a commit that is forgotten is fetched instead.
const MAX_PUSHED = 1000;

/** GitHub says it in words only. */
const WORKFLOWS_REFUSED = /to create or update workflow/;

/** The remote did not receive everything that we sent, which is no refusal. */
const BROKEN_OFF = /\(unpacker error\)$/;

export async function pushCommit(
  git: MirrorGit,
  repo: RepoName,
  {
    lease,
    ref,
    commit,
  }: { readonly lease: string | undefined; readonly ref: string; readonly commit: Sha },
): Promise<PushOutcome> {
  const outcome = await push(git, repo, { lease, refspec: `${commit}:${ref}` });
  if (outcome.kind === "pushed") git.pushed.add(commit);
  const [oldest] = git.pushed;
  if (git.pushed.size > MAX_PUSHED && oldest !== undefined) git.pushed.delete(oldest);
  return outcome;
}

export async function push(
  git: MirrorGit,
  repo: RepoName,
  /** Without a lease the push replaces whatever is there. */
  { lease, refspec }: { readonly lease: string | undefined; readonly refspec: string },
): Promise<PushOutcome> {
  const access = await remoteAccess(git, repo);
  const force = lease === undefined ? "--force" : `--force-with-lease=${lease}`;
  const command: MirrorCommand = {
    repo,
    args: ["push", "--porcelain", "--no-verify", force, access.url, refspec],
    ...access.extra,
  };
  const result = await git.run(command);
  const outcome = parsePush(result.stdout);
  if (outcome?.kind === "rejected") {
    const reason = [outcome.reason, ...remoteWords(result.stderr)].join(" ");
    return { kind: "rejected", reason, workflows: WORKFLOWS_REFUSED.test(reason) };
  }
  if (outcome !== undefined) return outcome;
  throw gitFailed(command, result.stderr);
}

/** Reads `git push --porcelain` of one ref; returns undefined when the remote was never asked, or could not answer. */
export function parsePush(stdout: string): PushOutcome | undefined {
  for (const line of stdout.split("\n")) {
    const [flag, refs, summary] = line.split("\t");
    if (flag === undefined || refs === undefined || summary === undefined) continue;
    if (flag === "!" && BROKEN_OFF.test(summary)) return undefined;
    if (flag === "!") return { kind: "rejected", reason: summary };
    if (/^[ +*=-]$/.test(flag)) return { kind: "pushed" };
  }
  return undefined;
}

/** Finds the lines that the server itself said about a push: they name the rule or the missing permission, git's own line does not. */
function remoteWords(stderr: string): readonly string[] {
  return stderr
    .split(/[\r\n]+/)
    .flatMap((line) => /^remote:\s*(.+?)\s*$/.exec(line)?.[1] ?? [])
    .filter((text) => !/^(?:Resolving deltas|Compressing objects|Counting objects)/.test(text));
}
