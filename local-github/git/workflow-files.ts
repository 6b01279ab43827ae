import { lastingOutput } from "./git.ts";

interface Move {
  /** It is null when the ref is new. */
  readonly before: string | null;
  readonly after: string;
  /** Workflow files that are the same in this commit do not count as changed. */
  readonly known: string | undefined;
}

/** Names a workflow file that moving a ref would bring, change or take away; answers undefined when there is none. */
export async function changedWorkflow(
  dir: string,
  { before, after, known }: Move,
): Promise<string | undefined> {
  let news: readonly string[] | undefined;
  for (const commit of [before, known]) {
    if (commit === null || commit === undefined || news?.length === 0) continue;
    const paths = await workflowsBetween(dir, commit, after);
    news = news?.filter((path) => paths.includes(path)) ?? paths;
  }
  return news?.[0];
}

async function workflowsBetween(dir: string, from: string, to: string): Promise<readonly string[]> {
  const paths = ["--", ".github/workflows"];
  const args = ["diff", "--name-only", "--no-renames", "-z", from, to, ...paths];
  return (await lastingOutput(dir, args)).split("\0").filter(Boolean);
}
