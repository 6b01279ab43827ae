import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { RepoName, Sha } from "../../../domain/ids.ts";
import { attributesLines } from "./find-out-of-reach.ts";
import type { MirrorGit } from "./mirror-git.ts";

export interface LfsQuestion {
  readonly tree: Sha;
  readonly paths: readonly string[];
}

/** Git itself reads the attributes, with its own rules of precedence and letter case. Most repositories have none that count. */
export async function findLfsFiles(
  git: MirrorGit,
  repo: RepoName,
  { tree, paths }: LfsQuestion,
): Promise<readonly string[]> {
  const lines = await attributesLines(git, repo, tree);
  if (!lines.some(({ text }) => text.includes("filter=lfs"))) return [];
  await mkdir(git.layout.trash, { recursive: true });
  const index = join(git.layout.trash, `index-${randomUUID()}`);
  const env = { GIT_INDEX_FILE: index };
  try {
    await git.expect({ repo, args: ["read-tree", tree], env });
    const present = new Set(
      (await git.expect({ repo, args: ["ls-files", "-z"], env })).split("\0"),
    );
    const asked = paths.filter((path) => present.has(path));
    const args = ["check-attr", "--cached", "-z", "--stdin", "filter"];
    const input = asked.map((path) => `${path}\0`).join("");
    return keptPaths(await git.expect({ repo, args, env, input }));
  } finally {
    await rm(index, { force: true });
  }
}

/** The answer repeats path, attribute and value. */
function keptPaths(answer: string): readonly string[] {
  const fields = answer.split("\0");
  return fields.filter((_, at) => at % 3 === 0 && fields[at + 2] === "lfs");
}
