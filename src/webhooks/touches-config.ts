import * as z from "zod";

const paths = z.array(z.string()).default([]);

/** The part of a push that tells which files it changed. */
const push = z.object({
  ref: z.string().optional(),
  repository: z.object({ default_branch: z.string().optional() }).nullish(),
  commits: z.array(z.object({ added: paths, modified: paths, removed: paths })).default([]),
  forced: z.boolean().default(false),
});

/** GitHub lists this many commits of a push at most; what comes after is not told. */
const MOST_COMMITS = 2048;

/** Whether a push may have changed the file on the default branch; what the payload cannot tell counts as yes. */
export function touchesConfig(event: string, payload: object, path: string): boolean {
  if (event !== "push") return false;
  const { data } = push.safeParse(payload);
  if (data === undefined) return true;
  const { ref, repository, commits, forced } = data;
  const branch = repository?.default_branch;
  if (ref !== undefined && branch !== undefined && ref !== `refs/heads/${branch}`) return false;
  if (forced || commits.length >= MOST_COMMITS) return true;
  return commits.some(({ added, modified, removed }) =>
    [added, modified, removed].some((names) => names.includes(path)),
  );
}
