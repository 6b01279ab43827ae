import { oneAtATime } from "../git/one-at-a-time.ts";
import { writeCommit, writeTree } from "../git/write-commit.ts";
import type { Files } from "../git/write-commit.ts";
import type { User } from "../model/account.ts";
import { branchSha } from "../model/repository.ts";
import type { Repository } from "../model/repository.ts";
import type { World } from "../model/world.ts";
import { changeRefsNow } from "./pulls/change-refs.ts";
import { signatureOf } from "./pulls/signature.ts";

export interface FileCommit {
  readonly branch: string;
  readonly files: Files;
  readonly message: string;
  readonly actor: User;
}

/** Puts one commit on a branch, which starts at the default branch when it is new; answers its id. */
export async function commitFiles(
  world: World,
  repository: Repository,
  wanted: FileCommit,
): Promise<string> {
  return oneAtATime(repository, async () => {
    const tip = branchSha(repository, wanted.branch);
    const parent = tip ?? branchSha(repository, repository.defaultBranch) ?? null;
    const signature = signatureOf(wanted.actor, new Date(world.now()).toISOString());
    const after = await writeCommit(repository.dir, {
      tree: await writeTree(repository.dir, parent, wanted.files),
      parents: parent === null ? [] : [parent],
      message: wanted.message,
      author: signature,
      committer: signature,
    });
    const changes = [{ name: `refs/heads/${wanted.branch}`, before: tip ?? null, after }];
    await changeRefsNow(world, repository, { changes, actor: wanted.actor });
    return after;
  });
}
