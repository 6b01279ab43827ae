import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sha, type RepoName, type Sha } from "../../../domain/ids.ts";
import { AppError } from "../../../shared/app-error.ts";
import { type GitProgram, lengthUpTo } from "../run/conversations.ts";
import type { Identity } from "../run/git-environment.ts";
import type { MirrorGit } from "./mirror-git.ts";

interface NewCommit {
  readonly tree: Sha;
  readonly parents: readonly Sha[];
  readonly message: string;
  readonly identity: Identity;
  /** This is set when someone else wrote the change. */
  readonly author?: Identity;
}

interface CommitFacts {
  readonly tree: Sha;
  readonly parents: readonly Sha[];
  readonly author: { readonly name: string; readonly email: string };
  readonly committedAt: number;
}

interface MirroredCommit extends CommitFacts {
  readonly commit: Sha;
}

/** Each answer has a head line. Unless that says that the object is missing, the content and a line end follow. */
const CAT_FILE: GitProgram = {
  args: ["cat-file", "--batch"],
  lengthOf: (output) => {
    const end = output.indexOf("\n") + 1;
    if (end === 0) return undefined;
    const size = / (\d+)\n$/.exec(output.toString("utf8", 0, end))?.[1];
    const length = size === undefined ? end : end + Number(size) + 1;
    return output.length < length ? undefined : length;
  },
};

const HASH_OBJECT: GitProgram = {
  args: ["hash-object", "-w", "-t", "commit", "--no-filters", "--stdin-paths"],
  lengthOf: lengthUpTo("\n"),
};

/** Finds the commit of that name, which may be a ref; returns undefined when the mirror has none. */
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

/** Finds the id of any object, such as the folder `commit:path`; returns undefined when there is none. */
export async function findObject(
  git: MirrorGit,
  repo: RepoName,
  name: string,
): Promise<string | undefined> {
  const answer = (await git.ask(repo, CAT_FILE, `${name}\n`)).toString("latin1");
  return /^([0-9a-f]{40,64}) [a-z]+ \d+\n/.exec(answer)?.[1];
}

/** Reads a file's content as git has it; returns undefined when the mirror has no such object. */
export async function readBlob(
  git: MirrorGit,
  repo: RepoName,
  name: string,
): Promise<Buffer | undefined> {
  const answer = await git.ask(repo, CAT_FILE, `${name}\n`);
  const end = answer.indexOf("\n");
  return / blob \d+$/.test(answer.toString("latin1", 0, end))
    ? answer.subarray(end + 1, -1)
    : undefined;
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

export async function commitTree(
  git: MirrorGit,
  { repo, ...commit }: NewCommit & { readonly repo: RepoName },
): Promise<Sha> {
  // Git would also write a commit whose parents are missing.
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

/** Writes a commit as git stores it. */
export function renderCommit(commit: NewCommit): string {
  const { tree, parents, identity, author = identity } = commit;
  // Git itself refuses a message with such a byte.
  const message = commit.message.replaceAll("\0", "");
  return [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${renderIdentity(author)}`,
    `committer ${renderIdentity(identity)}`,
    "",
    message.endsWith("\n") ? message : `${message}\n`,
  ].join("\n");
}

function renderIdentity({ name, email, at }: Identity): string {
  return `${plain(name)} <${plain(email)}> ${at} +0000`;
}

// Removes characters that would end the name or the line, and at both ends those that git cuts off as well.
function plain(text: string): string {
  return text.replace(/[\0\n<>]/g, "").replace(/^[\0- .,:;"\\']+|[\0- .,:;"\\']+$/g, "");
}

/** Returns undefined when the text is no commit. */
export function parseCommit(text: string): CommitFacts | undefined {
  const head = text.slice(0, text.indexOf("\n\n") + 1);
  const tree = /^tree ([0-9a-f]+)\n/.exec(head)?.[1];
  if (tree === undefined) return undefined;
  const [, name = "", email = ""] = /^author (.*?) ?<(.*)> \d+ [+-]\d+$/m.exec(head) ?? [];
  const [, committedAt = ""] = /^committer .*> (\d+) [+-]\d+$/m.exec(head) ?? [];
  return {
    tree: sha(tree),
    parents: [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent = ""]) => sha(parent)),
    author: { name, email },
    committedAt: Number(committedAt),
  };
}
