import { constants, type Dirent } from "node:fs";
import {
  lstat,
  mkdir,
  readdir,
  readFile,
  utimes,
  writeFile,
  chmod,
  copyFile,
  readlink,
  symlink,
} from "node:fs/promises";
import { join, relative, dirname } from "node:path";
import type { RepoName } from "../../../domain/ids.ts";
import { isMissing } from "../../host/file-errors.ts";
import type { WorkspaceFolder } from "../mirror/layout.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";

/** A template holds the files that a setup command made, copied before any runner could touch them. */
export interface Template {
  readonly key: string;
  readonly root: string;
}

type Kept =
  | { readonly kind: "template"; readonly template: Template }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "none" };

export interface Untouched {
  readonly files: readonly string[];
  /** The last of them was written at this time. */
  readonly since: number;
}

// Copies are clones where the file system can do that, so that they cost no space, and never links that both sides would write to.
const COPY = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;

/** Reads a kept setup: its folder has a `tree` with the files, or a note `refused` that says why there are none. */
export async function findTemplate(git: MirrorGit, repo: RepoName, key: string): Promise<Kept> {
  const template = { key, root: join(git.layout.setups(repo), key) };
  const [tree, reason] = await Promise.all([
    lstat(join(template.root, "tree")).catch(() => undefined),
    textOf(join(template.root, "refused")),
  ]);
  if (tree !== undefined) return { kind: "template", template };
  return reason === undefined ? { kind: "none" } : { kind: "refused", reason };
}

/** Finds the template that a workspace's ignored files come from. */
export async function templateOf(
  git: MirrorGit,
  folder: WorkspaceFolder,
  repo: RepoName,
): Promise<Template | undefined> {
  const key = await textOf(folder.setup);
  const kept = key === undefined ? undefined : await findTemplate(git, repo, key);
  return kept?.kind === "template" ? kept.template : undefined;
}

/** Lists the template's files, and the time since which they must be unchanged in the workspace to count as untouched. */
export async function untouchedSince(
  template: Template,
  folder: WorkspaceFolder,
): Promise<Untouched> {
  const tree = join(template.root, "tree");
  const entries = await readdir(tree, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(tree, join(entry.parentPath, entry.name)));
  const { mtimeMs } = await lstat(folder.setup);
  // The limit lies just before the note, so a change in the very moment of the note counts as the run's.
  return { files, since: mtimeMs - 0.001 };
}

/** Gives the workspace the files of the template that it lacks, and notes where they come from. */
export async function fillFromTemplate(template: Template, folder: WorkspaceFolder): Promise<void> {
  const now = new Date();
  // Templates that nobody used for long are deleted, so each use is marked.
  await utimes(template.root, now, now);
  await mkdir(folder.tree, { recursive: true });
  for (const name of await readdir(join(template.root, "tree")))
    await copyTree(join(template.root, "tree", name), join(folder.tree, name));
  await noteSetup(folder, template.key);
}

export async function noteSetup(folder: WorkspaceFolder, key: string): Promise<void> {
  await writeFile(folder.setup, key);
}

/** Copies entries that `to` lacks and leaves the others. Only folders, files and symbolic links can be copied. */
export async function copyTree(from: string, to: string): Promise<void> {
  const stats = await lstat(from);
  await mkdir(dirname(to), { recursive: true });
  if (stats.isDirectory()) await copyFolder(from, to);
  else if (stats.isSymbolicLink()) await copyLink(from, to);
  else if (stats.isFile()) await copyPlainFile(from, to);
}

export async function textOf(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}

async function copyFolder(from: string, to: string): Promise<void> {
  const { mode } = await lstat(from);
  // A link that the commit has in this place may lead anywhere on the host.
  if (!(await unlessThere(mkdir(to))) && !(await lstat(to)).isDirectory()) return;
  const entries = await readdir(from, { withFileTypes: true });
  await Promise.all(
    entries.map((entry) => copyEntry(entry, join(from, entry.name), join(to, entry.name))),
  );
  // This comes last, because a folder that setup made read-only has to be filled first.
  await chmod(to, mode & 0o7777);
}

async function copyEntry(entry: Dirent, from: string, to: string): Promise<void> {
  if (entry.isDirectory()) await copyFolder(from, to);
  else if (entry.isSymbolicLink()) await copyLink(from, to);
  else if (entry.isFile()) await copyPlainFile(from, to);
}

async function copyPlainFile(from: string, to: string): Promise<void> {
  if (!(await unlessThere(copyFile(from, to, COPY)))) return;
  const { atime, mtime } = await lstat(from);
  await utimes(to, atime, mtime);
}

async function copyLink(from: string, to: string): Promise<void> {
  await unlessThere(symlink(await readlink(from), to));
}

async function unlessThere(made: Promise<void>): Promise<boolean> {
  return made.then(
    () => true,
    (error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
      throw error;
    },
  );
}
