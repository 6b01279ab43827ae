import { lastingAnswer, lastingOutput, tryGit } from "./git.ts";

export interface Signature {
  readonly name: string;
  readonly email: string;
  readonly date: string;
}

export interface Commit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly message: string;
}

const FORMAT = "%H%x00%T%x00%P%x00%an%x00%ae%x00%aI%x00%cn%x00%ce%x00%cI%x00%B%x00%x01";

export async function isAncestor(dir: string, older: string, newer: string): Promise<boolean> {
  return (await lastingAnswer(dir, ["merge-base", "--is-ancestor", older, newer])).exitCode === 0;
}

/** Finds the merge base; answers undefined when the two commits have no history in common. */
export async function mergeBase(dir: string, a: string, b: string): Promise<string | undefined> {
  const answer = await lastingAnswer(dir, ["merge-base", a, b]);
  return answer.exitCode === 0 ? answer.stdout : undefined;
}

export async function hasCommit(dir: string, sha: string): Promise<boolean> {
  return (await tryGit(dir, ["cat-file", "-e", `${sha}^{commit}`])).exitCode === 0;
}

export async function readCommit(dir: string, rev: string): Promise<Commit | undefined> {
  const answer = await tryGit(dir, ["log", "-1", `--format=${FORMAT}`, rev, "--"]);
  return answer.exitCode === 0 ? commitsFrom(answer.stdout)[0] : undefined;
}

/** Lists the commits of `head` that `base` does not have, oldest first. */
export async function commitsBetween(
  dir: string,
  base: string | null,
  head: string,
): Promise<readonly Commit[]> {
  const range = base === null ? [head, "-n", "20"] : [head, `^${base}`];
  const text = await lastingOutput(dir, [
    "log",
    "--reverse",
    "--topo-order",
    `--format=${FORMAT}`,
    ...range,
    "--",
  ]);
  return commitsFrom(text);
}

function commitsFrom(text: string): readonly Commit[] {
  return text
    .split("\u0001")
    .map((record) => record.replace(/^\n/, ""))
    .filter(Boolean)
    .map(commitFrom);
}

function commitFrom(record: string): Commit {
  const part = record.split("\0");
  const signature = (at: number): Signature => ({
    name: part[at] ?? "",
    email: part[at + 1] ?? "",
    date: part[at + 2] ?? "",
  });
  return {
    sha: part[0] ?? "",
    tree: part[1] ?? "",
    parents: (part[2] ?? "").split(" ").filter(Boolean),
    author: signature(3),
    committer: signature(6),
    message: (part[9] ?? "").replace(/\n+$/, ""),
  };
}
