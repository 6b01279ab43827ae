import { mkdir, mkdtemp, readFile, readdir, rename, writeFile, lstat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { EXPLORE_REFS } from "../../../domain/exploration.ts";
import { isSha } from "../../../domain/ids.ts";
import type { RepoName, Sha } from "../../../domain/ids.ts";
import { AppError } from "../../../shared/app-error.ts";
import { ensureMirror, initBare } from "../mirror/ensure-mirror.ts";
import { listRepos } from "../mirror/layout.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";
import { remoteAccess } from "../remote/remote-access.ts";
import { RESCUE_REFS } from "../rescue/rescue-refs.ts";

export type Tending = <T>(repo: RepoName, work: () => Promise<T>) => Promise<T>;

// This is longer than one check of a large mirror takes, so a remote that is away does not keep us checking all the time.
const FULL_CHECK_INTERVAL_MS = 60 * 60_000;

/** These leave out files that git had begun to write when it was killed, and locks. */
const WHOLE_FILE =
  /^(?:HEAD|config|objects\/[0-9a-f]{2}\/[0-9a-f]{38,}|objects\/pack\/.*\.(?:pack|idx))$/;

const REF = /^refs\/.*(?<!\.lock)$/;

const FOLDER = /^(?:refs|objects|objects\/(?:[0-9a-f]{2}|info|pack))$/;

/** Repairs mirrors that an earlier life of the app left half done or damaged. It runs before anybody else works here. */
export async function tendMirrors(git: MirrorGit): Promise<readonly RepoName[]> {
  const { aside, layout } = git;
  for (const folder of [layout.allSpares, layout.allSetups]) await listRepos(folder, aside);
  const repos = await listRepos(layout.mirrors, aside, ".git");
  for (const repo of repos) {
    await removeLocks(git, repo);
    const trouble = await findTrouble(git, repo);
    // If this fails now, it is done when the mirror is needed.
    if (trouble !== undefined) await remakeMirror(git, repo, trouble).catch(() => false);
  }
  return repos;
}

/** Does work again that failed because the mirror was damaged, if the mirror could be made anew. */
export function createTending(git: MirrorGit): Tending {
  const lookedAt = new Map<RepoName, number>();
  const isRemade = async (repo: RepoName): Promise<boolean> => {
    const now = git.options.now();
    const isSoon = now - (lookedAt.get(repo) ?? -Infinity) < FULL_CHECK_INTERVAL_MS;
    const trouble = await (isSoon ? findTrouble(git, repo) : findHiddenTrouble(git, repo));
    if (!isSoon) lookedAt.set(repo, now);
    return trouble !== undefined && (await remakeMirror(git, repo, trouble));
  };
  return async (repo, work) => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "git-failed") throw error;
      const remade = await git.serialize(repo, () => isRemade(repo)).catch(() => false);
      if (!remade) throw error;
      return work();
    }
  };
}

/** Removes the locks of a git that was killed, because nobody else does and no other git dares to. */
async function removeLocks(git: MirrorGit, repo: RepoName): Promise<void> {
  const mirror = git.layout.mirror(repo);
  const names = await readdir(mirror, { recursive: true }).catch(() => []);
  const locks = names.filter((name) => name.endsWith(".lock"));
  for (const lock of locks) await git.aside.remove(join(mirror, lock));
}

/** Says what is wrong with a mirror, as far as a quick look shows it. */
async function findTrouble(git: MirrorGit, repo: RepoName): Promise<string | undefined> {
  const odd = await findOddEntry(git.layout.mirror(repo));
  if (odd !== undefined) return odd;
  const listed = await git.run({ repo, args: ["for-each-ref", "--format=%(objecttype)"] });
  if (listed.code === 0 && listed.stderr === "") return undefined;
  return `git cannot use it: ${firstLine(listed.stderr)}`;
}

/** Says what is wrong with a mirror after a look at every object, which takes long on a large repository. */
async function findHiddenTrouble(git: MirrorGit, repo: RepoName): Promise<string | undefined> {
  const trouble = await findTrouble(git, repo);
  if (trouble !== undefined) return trouble;
  const checked = await git.run({ repo, args: ["fsck", "--no-dangling", "--no-progress"] });
  if (checked.code === 0) return undefined;
  const [damage] = `${checked.stderr}\n${checked.stdout}`.split("\n").filter(isDamage);
  return damage === undefined ? undefined : `git finds it damaged: ${damage}`;
}

/** Leaves out complaints about old commits and trees that git would not write today (`error in commit …`): these are whole all the same. */
function isDamage(line: string): boolean {
  return line !== "" && !/^(?:(?:error|warning) in |notice: |dangling )/.test(line);
}

/** Finds an entry of the wrong kind or an empty file. Git notices these only when it needs that very file, and never says so clearly. */
async function findOddEntry(mirror: string): Promise<string | undefined> {
  const entries = await readdir(mirror, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(mirror, path);
    if (FOLDER.test(name) && !entry.isDirectory()) return `its ${name} is no folder`;
    if (WHOLE_FILE.test(name) && !entry.isFile()) return `its ${name} is no file`;
    const mustBeWhole = entry.isFile() && (WHOLE_FILE.test(name) || REF.test(name));
    // A crash of the machine can leave a file empty that was just written.
    if (mustBeWhole && (await isEmpty(path))) return `its ${name} is empty`;
  }
  return undefined;
}

function isEmpty(path: string): Promise<boolean> {
  return lstat(path).then(
    ({ size }) => size === 0,
    () => false,
  );
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}

/**
 * Moves a damaged mirror aside and makes it anew from the remote, with the work that was saved in the old one. Returns whether that
 * could be done. Callers must have the repository's turn in the queue.
 */
async function remakeMirror(git: MirrorGit, repo: RepoName, trouble: string): Promise<boolean> {
  const old = await git.aside.put(git.layout.mirror(repo), trouble);
  if (old === undefined) return false;
  await ensureMirror(git, repo);
  // Nobody else may have the content of files that a run changed. It is whole where it is: each is named by its own digest.
  await rename(join(old, "lfs"), join(git.layout.mirror(repo), "lfs")).catch(() => undefined);
  const access = await remoteAccess(git, repo);
  // We fetch all branches, because workspaces borrow objects of the mirror and nobody knows from which branch.
  const flags = ["--no-tags", "--no-write-fetch-head", "--no-auto-maintenance"];
  const args = ["fetch", ...flags, access.url, "+refs/heads/*:refs/wavetrain/remade/*"];
  // If the remote is away now, whoever needs it asks again.
  await git.run({ repo, args, ...access.extra });
  await adoptSaved(git, repo, old);
  return true;
}

/** Takes over rescued work and evaluations, which no remote has. It does so one by one, so that a damaged one spoils no other. */
async function adoptSaved(git: MirrorGit, repo: RepoName, old: string): Promise<void> {
  const saved = [...(await refsOf(old))].filter(([ref]) => isSaved(ref));
  if (saved.length === 0) return;
  const passage = await mkdtemp(join(git.layout.trash, "passage-"));
  try {
    await initBare(git, repo, passage);
    await mkdir(join(passage, "objects", "info"), { recursive: true });
    const borrowed = [join(git.layout.mirror(repo), "objects"), join(old, "objects")];
    await writeFile(join(passage, "objects", "info", "alternates"), `${borrowed.join("\n")}\n`);
    for (const [ref, commit] of saved) {
      await mkdir(dirname(join(passage, ref)), { recursive: true });
      await writeFile(join(passage, ref), `${commit}\n`);
      // A ref whose objects are not whole stays behind with the old mirror.
      await git.run({
        repo,
        args: ["fetch", "--no-tags", "--no-write-fetch-head", passage, `+${ref}:${ref}`],
      });
    }
  } finally {
    await git.aside.remove(passage);
  }
}

function isSaved(ref: string): boolean {
  return ref.startsWith(RESCUE_REFS) || ref.startsWith(EXPLORE_REFS);
}

/** Reads the refs without git, which refuses a repository for damage that does not matter here. */
async function refsOf(mirror: string): Promise<ReadonlyMap<string, Sha>> {
  const packed = await readFile(join(mirror, "packed-refs"), "utf8").catch(() => "");
  const lines = packed.split("\n").map((line) => line.split(" ", 2));
  const refs = new Map<string, Sha>();
  for (const [commit = "", ref = ""] of lines) if (isSha(commit)) refs.set(ref, commit);
  for (const name of await readdir(join(mirror, "refs"), { recursive: true }).catch(() => [])) {
    const text = await readFile(join(mirror, "refs", name), "utf8").catch(() => "");
    const commit = text.trim();
    if (isSha(commit)) refs.set(`refs/${name}`, commit);
  }
  return refs;
}
