import { sha, type Sha } from "../../domain/ids.ts";
import type { Identity } from "./git-environment.ts";

export interface NewCommit {
  readonly tree: Sha;
  readonly parents: readonly Sha[];
  readonly message: string;
  readonly identity: Identity;
  /** Where someone else wrote it. */
  readonly author?: Identity;
}

/** A commit as git stores it. */
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

// What would end the name or the line, and at both ends what git cuts off as well.
function plain(text: string): string {
  return text.replace(/[\0\n<>]/g, "").replace(/^[\0- .,:;"\\']+|[\0- .,:;"\\']+$/g, "");
}

export interface CommitFacts {
  readonly tree: Sha;
  readonly parents: readonly Sha[];
  readonly author: { readonly name: string; readonly email: string };
  readonly committedAt: number;
}

/** Undefined for what is no commit. */
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
