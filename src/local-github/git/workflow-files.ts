import { git } from "./git.ts";

interface Move {
  /** Null: the ref is new. */
  readonly before: string | null;
  readonly after: string;
  /** What it has is no news, wherever it goes. */
  readonly known: string | undefined;
}

/** A workflow file that moving a ref would bring or change; undefined when there is none. */
export async function changedWorkflow(
  dir: string,
  { before, after, known }: Move,
): Promise<string | undefined> {
  const from = [before, known].filter((commit) => commit !== null && commit !== undefined);
  const lists = await Promise.all(from.map(async (commit) => workflowsBetween(dir, commit, after)));
  const [first = [], ...others] = lists;
  return first.find((path) => others.every((list) => list.includes(path)));
}

async function workflowsBetween(dir: string, from: string, to: string): Promise<readonly string[]> {
  const paths = ["--", ".github/workflows"];
  const args = ["diff", "--name-only", "--no-renames", "--diff-filter=d", "-z", from, to, ...paths];
  return (await git(dir, args)).split("\0").filter(Boolean);
}
