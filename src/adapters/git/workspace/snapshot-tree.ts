import { randomUUID } from "node:crypto";
import { lstat, readFile, chmod, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sha } from "../../../domain/ids.ts";
import type { Sha } from "../../../domain/ids.ts";
import type { Workspace } from "../../../ports/git.ts";
import { filterConfig } from "../lfs/git-lfs.ts";
import { untouchedPlainFiles } from "../lfs/untouched-plain-files.ts";
import { runnerGitDir } from "../mirror/layout.ts";
import type { WorkspaceFolder } from "../mirror/layout.ts";
import type { MirrorCommand, MirrorGit } from "../mirror/mirror-git.ts";
import { copyIndex } from "./fill-folder.ts";
import { assertInPlace } from "./workspace-places.ts";

/** A staging runs git on the workspace's files, with an index of this snapshot alone. */
interface Staging {
  readonly git: MirrorGit;
  readonly workspace: Workspace;
  readonly folder: WorkspaceFolder;
  readonly index: string;
  /** It has git turn the content of files that Git LFS keeps into pointers. */
  readonly config: NonNullable<MirrorCommand["config"]>;
}

/**
 * Stores the workspace's whole content as a tree: every file that is not ignored, and ignored ones that the runner tracks.
 * It makes no difference how the runner changed HEAD, its index, its configuration or `.git`.
 */
export async function snapshotTree(git: MirrorGit, workspace: Workspace): Promise<Sha> {
  const folder = git.layout.workspaceFolder(workspace.repo, workspace.place);
  await assertInPlace(git.layout, folder);
  const index = join(folder.root, `index-${randomUUID()}`);
  const config = await filterConfig(git, workspace.repo);
  const staging = { git, workspace, folder, index, config };
  try {
    await copyIndex(folder.index, index);
    return await writeTree(staging);
  } catch {
    // The app's own index may have been spoilt. A new one of the base works too and only takes longer to compare.
    await makeIndex(staging);
    return await writeTree(staging);
  } finally {
    await rm(index, { force: true });
  }
}

async function makeIndex({ git, workspace, index }: Staging): Promise<void> {
  const { repo, base } = workspace;
  for (const file of [index, `${index}.lock`]) await rm(file, { force: true });
  await git.expect({ repo, args: ["read-tree", base], env: { GIT_INDEX_FILE: index } });
}

async function writeTree(staging: Staging): Promise<Sha> {
  const [{ submodules, nested }, forced] = await Promise.all([
    listRepositories(staging),
    listForced(staging),
  ]);
  await addFiles(staging, [...submodules, ...nested]);
  await updateSubmodules(staging, submodules);
  const inside = await Promise.all(nested.map((folder) => listNested(staging, folder)));
  const extras = await plainPaths(staging.folder.tree, [...inside.flat(), ...forced]);
  await updateIndex(staging, "--add", extras);
  const tree = sha((await expect(staging, { args: ["write-tree"] })).trim());
  return (await keepPlainFiles(staging, tree)) ?? tree;
}

/** A file that was committed as it is stays so while nobody touches it, whatever attributes say of it by now. */
async function keepPlainFiles(staging: Staging, tree: Sha): Promise<Sha | undefined> {
  const { git, workspace, folder } = staging;
  if (staging.config.length === 0) return undefined;
  const plain = await untouchedPlainFiles(git, workspace, { tree, worktree: folder.tree });
  if (plain.length === 0) return undefined;
  const input = plain.map(({ mode, blob, path }) => `${mode} ${blob}\t${path}\0`).join("");
  await expect(staging, { args: ["update-index", "-z", "--index-info"], input });
  return sha((await expect(staging, { args: ["write-tree"] })).trim());
}

/** Lists submodules of the base, and folders that the runner made into repositories of their own. */
async function listRepositories(
  staging: Staging,
): Promise<{ readonly submodules: readonly string[]; readonly nested: readonly string[] }> {
  const args = ["ls-files", "-z", "-t", "--cached", "--others", "--stage", "--exclude-standard"];
  const first = await staging.git.run(commandOf(staging, { args }));
  // Git skips folders that it may not read and only prints a warning, so the work in them would be lost.
  if (first.code !== 0 || first.stderr !== "") await makeReadable(staging.folder.tree);
  const entries = splitNul(first.stderr === "" ? first.stdout : await expect(staging, { args }));
  return {
    submodules: entries
      .filter((entry) => entry.startsWith("H 160000 "))
      .map((entry) => entry.slice(entry.indexOf("\t") + 1)),
    nested: entries
      .filter((entry) => entry.startsWith("? ") && entry.endsWith("/"))
      .map((entry) => entry.slice(2, -1)),
  };
}

/** Leaves out repositories inside the workspace: in a submodule `git add` would run `git status`, with the configuration that it finds there. */
async function addFiles(staging: Staging, apart: readonly string[]): Promise<void> {
  const pathspecs = [":/", ...apart.map((path) => `:(top,exclude,literal)${path}`)];
  const args = ["add", "--all", "--pathspec-from-file=-", "--pathspec-file-nul"];
  const command = { args, input: pathspecs.join("\0") };
  const first = await staging.git.run(commandOf(staging, command));
  if (first.code === 0) return;
  await makeReadable(staging.folder.tree);
  await expect(staging, command);
}

async function updateSubmodules(staging: Staging, submodules: readonly string[]): Promise<void> {
  const present = await plainPaths(staging.folder.tree, submodules);
  await updateIndex(staging, "--add", present);
  const gone = submodules.filter((path) => !present.includes(path));
  await updateIndex(staging, "--force-remove", gone);
}

/** Lists the files of a repository that the runner made inside the workspace, as files of the workspace. */
async function listNested(staging: Staging, folder: string): Promise<readonly string[]> {
  const listed = await expect(staging, {
    args: ["ls-files", "-z", "--others", "--exclude-standard"],
    env: {
      GIT_WORK_TREE: join(staging.folder.tree, folder),
      GIT_INDEX_FILE: `${staging.index}-none`,
    },
  });
  const paths = splitNul(listed).map((path) => `${folder}/${path}`);
  const deeper = paths.filter((path) => path.endsWith("/")).map((path) => path.slice(0, -1));
  const below = await Promise.all(deeper.map((path) => listNested(staging, path)));
  return [...paths.filter((path) => !path.endsWith("/")), ...below.flat()];
}

/** Lists ignored files that the runner added by force. There are none when its index cannot be read, or is the one that it was given. */
async function listForced(staging: Staging): Promise<readonly string[]> {
  const theirs = join(runnerGitDir(staging.folder), "index");
  if (await hasSameContent(staging.folder.index, theirs)) return [];
  const result = await staging.git.run({
    ...commandOf(staging, {
      args: ["ls-files", "-z", "--cached", "--ignored", "--exclude-standard"],
      env: { GIT_INDEX_FILE: theirs },
    }),
  });
  return result.code === 0 ? splitNul(result.stdout) : [];
}

async function updateIndex(
  staging: Staging,
  how: "--add" | "--force-remove",
  paths: readonly string[],
): Promise<void> {
  if (paths.length === 0) return;
  await expect(staging, {
    args: ["update-index", how, "-z", "--stdin"],
    input: paths.map((path) => `${path}\0`).join(""),
  });
}

type StagingCommand = Omit<MirrorCommand, "repo">;

function expect(staging: Staging, command: StagingCommand): Promise<string> {
  return staging.git.expect(commandOf(staging, command));
}

function commandOf(staging: Staging, command: StagingCommand): MirrorCommand {
  const env = { GIT_WORK_TREE: staging.folder.tree, GIT_INDEX_FILE: staging.index, ...command.env };
  return { repo: staging.workspace.repo, config: staging.config, ...command, env };
}

function splitNul(text: string): readonly string[] {
  return text.split("\0").filter((entry) => entry !== "");
}

/** Returns those of the paths that exist below `root` without passing through a symbolic link. */
async function plainPaths(root: string, paths: readonly string[]): Promise<readonly string[]> {
  const folders = new Map<string, Promise<boolean>>([[".", Promise.resolve(true)]]);
  const isPlainFolder = (folder: string): Promise<boolean> => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const answer = isPlainFolder(dirname(folder)).then(
      async (above) => above && (await kindOf(join(root, folder))) === "folder",
    );
    folders.set(folder, answer);
    return answer;
  };
  const found = await Promise.all(
    paths.map(
      async (path) =>
        (await isPlainFolder(dirname(path))) && (await kindOf(join(root, path))) !== "none",
    ),
  );
  return paths.filter((_path, index) => found[index]);
}

/** Compares plain files only and returns false for anything else: reading a pipe that a runner left would never end. */
async function hasSameContent(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((path) => lstat(path).catch(() => undefined)));
  if (a?.isFile() !== true || b?.isFile() !== true || a.size !== b.size) return false;
  const [first, second] = await Promise.all([readFile(one), readFile(other)]);
  return first.equals(second);
}

/** Makes way for git: deletes pipes, sockets and devices, which hold no work, and opens what is closed to its owner. */
async function makeReadable(path: string): Promise<void> {
  const stats = await lstat(path);
  if (stats.isDirectory()) {
    if ((stats.mode & 0o700) !== 0o700) await chmod(path, (stats.mode & 0o777) | 0o700);
    // Names that are not UTF-8 come out changed, so they lead nowhere.
    const below = (await readdir(path)).filter((name) => !name.includes("\uFFFD"));
    await Promise.all(below.map((name) => makeReadable(join(path, name))));
  } else if (stats.isFile()) {
    if ((stats.mode & 0o400) === 0) await chmod(path, (stats.mode & 0o777) | 0o400);
  } else if (!stats.isSymbolicLink()) await rm(path, { force: true });
}

async function kindOf(path: string): Promise<"folder" | "other" | "none"> {
  return lstat(path).then(
    (stats) => (stats.isDirectory() ? "folder" : "other"),
    () => "none",
  );
}
