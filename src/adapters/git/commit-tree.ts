import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sha, type RepoName, type Sha } from "../../domain/ids.ts";
import { renderCommit, type NewCommit } from "./commit-object.ts";
import { lengthUpTo, type Helper } from "./conversation.ts";
import type { MirrorGit } from "./mirror-git.ts";
import { readCommit } from "./mirror-objects.ts";

const HASH_OBJECT: Helper = {
  args: ["hash-object", "-w", "-t", "commit", "--no-filters", "--stdin-paths"],
  lengthOf: lengthUpTo("\n"),
};

export async function commitTree(
  git: MirrorGit,
  { repo, ...commit }: NewCommit & { readonly repo: RepoName },
): Promise<Sha> {
  // Git would write a commit that stands on nothing.
  await Promise.all(commit.parents.map((parent) => readCommit(git, repo, parent)));
  await mkdir(git.layout.trash, { recursive: true });
  const draft = join(git.layout.trash, `commit-${randomUUID()}`);
  await writeFile(draft, renderCommit(commit));
  try {
    return sha((await git.ask(repo, HASH_OBJECT, `${draft}\n`)).toString("utf8").trim());
  } finally {
    await rm(draft, { force: true });
  }
}
