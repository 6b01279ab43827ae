import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RepoName } from "../../../domain/ids.ts";
import { namesIn } from "../../host/folders.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";

const IN_USE = "refs/wavetrain/in-use/";
// Git's own default is the same: it is long enough for objects that a running process has written but not yet named.
const EXPIRY = "2.weeks.ago";

export interface ObjectCounts {
  readonly loose: number;
  readonly packs: number;
}

export async function countObjects(git: MirrorGit, repo: RepoName): Promise<ObjectCounts> {
  const { count, packs } = await git.call({ repo }, (typed) => typed.countObjects());
  return { loose: count, packs };
}

/**
 * Packs objects that a ref leads to and deletes the others once they are old: trial merges, replaced commits. Workspaces borrow
 * objects of the mirror without git knowing, so their bases get refs first.
 */
export async function compactMirror(git: MirrorGit, repo: RepoName): Promise<void> {
  await git.serialize(repo, async () => {
    await nameBases(git, repo);
    await git.expect({ repo, args: ["pack-refs", "--all"] });
  });
  // This runs outside the queue: it takes long on large repositories, and git lets others read and write meanwhile.
  const flags = ["-d", "-q", "-A", "-l", `--unpack-unreachable=${EXPIRY}`];
  await git.expect({ repo, args: ["repack", ...flags] });
  await git.expect({ repo, args: ["prune", `--expire=${EXPIRY}`] });
}

async function nameBases(git: MirrorGit, repo: RepoName): Promise<void> {
  const named = await git.expect({
    repo,
    args: ["for-each-ref", "--format=%(objectname)", IN_USE],
  });
  const before = new Set(named.split("\n").filter(Boolean));
  const bases = await basesInUse(git, repo);
  const lines = [
    ...[...bases]
      .filter((base) => !before.has(base))
      .map((base) => `update ${IN_USE}${base} ${base}\n`),
    ...[...before].filter((base) => !bases.has(base)).map((base) => `delete ${IN_USE}${base}\n`),
  ];
  if (lines.length > 0)
    await git.expect({ repo, args: ["update-ref", "--stdin"], input: lines.join("") });
}

/** Lists only bases that the mirror has: a workspace whose note was spoilt has none that could be protected. */
async function basesInUse(git: MirrorGit, repo: RepoName): Promise<ReadonlySet<string>> {
  const folders = [git.layout.spares(repo), git.layout.workspacesOf(repo)];
  const notes = await Promise.all(
    folders.map(async (folder) =>
      (await namesIn(folder)).map((name) =>
        readFile(join(folder, name, "base"), "utf8").catch(() => ""),
      ),
    ),
  );
  const bases = (await Promise.all(notes.flat())).filter((base) => /^[0-9a-f]{40,64}$/.test(base));
  // Given an empty input, git would wait for ever.
  if (bases.length === 0) return new Set();
  const checked = await git.expect({
    repo,
    args: ["cat-file", "--batch-check=%(objecttype) %(objectname)"],
    input: bases.map((base) => `${base}\n`).join(""),
  });
  const commits = checked.split("\n").filter((line) => line.startsWith("commit "));
  return new Set(commits.map((line) => line.slice("commit ".length)));
}
