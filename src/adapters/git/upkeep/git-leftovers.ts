import { readFile, lstat, mkdir, mkdtemp, rename } from "node:fs/promises";
import { join } from "node:path";
import { instant } from "../../../domain/ids.ts";
import type { RepoName, Instant } from "../../../domain/ids.ts";
import type { Leftover, Leftovers } from "../../../ports/leftovers.ts";
import { wordsOf } from "../../../shared/app-error.ts";
import { codeOf, isMissing } from "../../host/file-errors.ts";
import { namesIn } from "../../host/folders.ts";
import { forgetEvaluation, listEvaluations } from "../candidate/evaluation-refs.ts";
import { listRepos } from "../mirror/layout.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";
import { forgetRescue, listRescues } from "../rescue/rescue-refs.ts";
import { rescueWorkspace } from "../rescue/rescue-workspace.ts";
import { closeWorkspace, putWorkspaceAside } from "../workspace/close-workspace.ts";
import { listWorkspaces } from "../workspace/workspace-places.ts";

/** Lists and removes the leftovers on git's side of the data folder. */
export function createGitLeftovers(git: MirrorGit): Leftovers {
  return {
    list: async () => {
      const lists = await Promise.all([
        listOpen(git),
        listPerRepo(git, "spare"),
        listPerRepo(git, "setup"),
        listMirrors(git),
        listSaved(git),
        listEvaluations(git),
        listTrash(git),
      ]);
      return lists.flat();
    },
    remove: (leftover) => remove(git, leftover),
    compact: (repo) => compactMirror(git, repo),
  };
}

async function listOpen(git: MirrorGit): Promise<readonly Leftover[]> {
  const workspaces = await listWorkspaces(git);
  return Promise.all(
    workspaces.map(async ({ repo, id, place }) => {
      const { root } = git.layout.workspaceFolder(repo, place);
      return {
        kind: "workspace" as const,
        repo,
        name: id,
        at: await usedAt(root),
        open: git.opened.has(root),
      };
    }),
  );
}

async function listPerRepo(git: MirrorGit, kind: "spare" | "setup"): Promise<readonly Leftover[]> {
  const root = kind === "spare" ? git.layout.allSpares : git.layout.allSetups;
  const lists = (await listRepos(root, git.aside)).map(async (repo) => {
    const folder = folderOf(git, kind, repo);
    const names = await namesIn(folder);
    return Promise.all(
      names.map(async (name) => ({ kind, repo, name, at: await usedAt(join(folder, name)) })),
    );
  });
  return (await Promise.all(lists)).flat();
}

async function listMirrors(git: MirrorGit): Promise<readonly Leftover[]> {
  const repos = await listRepos(git.layout.mirrors, git.aside, ".git");
  return Promise.all(
    repos.map(async (repo) => ({
      kind: "mirror" as const,
      repo,
      at: await usedAt(git.layout.mirror(repo)),
      // A mirror that git cannot count cannot be packed either.
      ...(await countObjects(git, repo).catch(() => ({ loose: 0, packs: 0 }))),
    })),
  );
}

async function listSaved(git: MirrorGit): Promise<readonly Leftover[]> {
  const rescues = await listRescues(git);
  return rescues.map(({ repo, id, at }) => ({ kind: "rescue", repo, name: id, at }));
}

async function listTrash(git: MirrorGit): Promise<readonly Leftover[]> {
  const names = await namesIn(git.layout.trash);
  return Promise.all(
    names.map(async (name) => ({
      kind: "trash" as const,
      name,
      at: await usedAt(join(git.layout.trash, name)),
    })),
  );
}

async function remove(git: MirrorGit, leftover: Leftover): Promise<void> {
  switch (leftover.kind) {
    case "workspace":
      return removeWorkspace(git, leftover.repo, leftover.name);
    case "spare":
    case "setup":
      return bury(git, join(folderOf(git, leftover.kind, leftover.repo), leftover.name));
    case "mirror":
      return git.serialize(leftover.repo, () => bury(git, git.layout.mirror(leftover.repo)));
    case "rescue":
      return forgetRescue(git, leftover.repo, leftover.name);
    case "evaluation":
      return forgetEvaluation(git, leftover.repo, leftover.name);
    case "trash":
      return git.aside.remove(join(git.layout.trash, leftover.name));
    case "log":
    case "home":
    case "run-folder":
    case "tmp":
      throw new Error(`git keeps no ${leftover.kind}`);
  }
}

async function removeWorkspace(git: MirrorGit, repo: RepoName, id: string): Promise<void> {
  const found = (await listWorkspaces(git)).find((one) => one.repo === repo && one.id === id);
  if (found === undefined) return;
  try {
    await rescueWorkspace(git, found);
  } catch (error) {
    await putWorkspaceAside(git, found, `its work cannot be saved: ${wordsOf(error)}`);
    return;
  }
  await closeWorkspace(git, found);
}

/** Moves the folder before it deletes it, so nobody finds half of it, and a spare that was just taken stays where it is. */
async function bury(git: MirrorGit, folder: string): Promise<void> {
  await mkdir(git.layout.trash, { recursive: true });
  const grave = await mkdtemp(join(git.layout.trash, "old-"));
  await rename(folder, join(grave, "old")).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    return git.aside.put(folder, `it cannot be taken away (${codeOf(error)})`);
  });
  await git.aside.remove(grave);
}

function folderOf(git: MirrorGit, kind: "spare" | "setup", repo: RepoName): string {
  return kind === "spare" ? git.layout.spares(repo) : git.layout.setups(repo);
}

/** Returns the beginning of time for a path that is gone, because removing it again is harmless. */
async function usedAt(path: string): Promise<Instant> {
  const stats = await lstat(path).catch(() => undefined);
  return instant(stats?.mtimeMs ?? 0);
}

const IN_USE = "refs/wavetrain/in-use/";
// Git's own default is the same: it is long enough for objects that a running process has written but not yet named.
const EXPIRY = "2.weeks.ago";

interface ObjectCounts {
  readonly loose: number;
  readonly packs: number;
}

async function countObjects(git: MirrorGit, repo: RepoName): Promise<ObjectCounts> {
  const { count, packs } = await git.call({ repo }, (typed) => typed.countObjects());
  return { loose: count, packs };
}

/**
 * Packs objects that a ref leads to and deletes the others once they are old: trial merges, replaced commits. Workspaces borrow
 * objects of the mirror without git knowing, so their bases get refs first.
 */
async function compactMirror(git: MirrorGit, repo: RepoName): Promise<void> {
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
