import { sha, type RepoName, type Sha } from "../../domain/ids.ts";
import { AppError } from "../../shared/app-error.ts";
import { parseCommit, type CommitFacts } from "./commit-object.ts";
import type { Helper } from "./conversation.ts";
import type { MirrorGit } from "./mirror-git.ts";

/** Each answer has a head line; unless that says that there is none, the content and a line end follow. */
const CAT_FILE: Helper = {
  args: ["cat-file", "--batch"],
  lengthOf: (output) => {
    const end = output.indexOf("\n") + 1;
    if (end === 0) return undefined;
    const size = / (\d+)\n$/.exec(output.toString("utf8", 0, end))?.[1];
    const length = size === undefined ? end : end + Number(size) + 1;
    return output.length < length ? undefined : length;
  },
};

interface MirroredCommit extends CommitFacts {
  readonly commit: Sha;
}

/** The commit of that name, which may be a ref; undefined when the mirror has none. */
export async function findCommit(
  git: MirrorGit,
  repo: RepoName,
  name: string,
): Promise<MirroredCommit | undefined> {
  const answer = (await git.ask(repo, CAT_FILE, `${name}\n`)).toString("utf8");
  const end = answer.indexOf("\n");
  const [commit = "", type] = answer.slice(0, end).split(" ");
  const facts = type === "commit" ? parseCommit(answer.slice(end + 1)) : undefined;
  return facts === undefined ? undefined : { ...facts, commit: sha(commit) };
}

export async function readCommit(
  git: MirrorGit,
  repo: RepoName,
  name: string,
): Promise<MirroredCommit> {
  const found = await findCommit(git, repo, name);
  if (found === undefined) throw new AppError("git-failed", `${name} is not in the mirror`);
  return found;
}

export async function hasCommit(git: MirrorGit, repo: RepoName, commit: Sha): Promise<boolean> {
  return (await findCommit(git, repo, commit)) !== undefined;
}
