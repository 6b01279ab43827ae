import {
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readlink,
  rename,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Workspace } from "../../../ports/git.ts";
import { removeFolder } from "../../host/folders.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";
import { copyTree, noteSetup } from "../workspace/setup-template.ts";
import { diffWorkspace, listUntracked } from "../workspace/workspace-changes.ts";

/**
 * Copies the ignored files of a workspace into a template. Nobody but setup may have worked in the workspace yet. When another
 * workspace could not use a copy, it returns the reason and remembers it: setup then runs every time.
 */
export async function keepSetup(
  git: MirrorGit,
  workspace: Workspace,
  key: string,
): Promise<string | undefined> {
  const { repo } = workspace;
  const folder = git.layout.workspaceFolder(repo, workspace.id);
  await mkdir(git.layout.trash, { recursive: true });
  await mkdir(git.layout.setups(repo), { recursive: true });
  const fresh = await mkdtemp(join(git.layout.trash, "setup-"));
  const made = await listUntracked(git, workspace, "ignored");
  const reason = await whyNotKept(git, workspace, made);
  if (reason === undefined) {
    for (const path of made) await copyTree(join(folder.tree, path), join(fresh, "tree", path));
  } else await writeFile(join(fresh, "refused"), reason);
  await rename(fresh, join(git.layout.setups(repo), key)).catch(async () => {
    // Another process was first with the same key.
    await removeFolder(fresh);
  });
  if (reason === undefined) await noteSetup(folder, key);
  return reason;
}

async function whyNotKept(
  git: MirrorGit,
  workspace: Workspace,
  made: readonly string[],
): Promise<string | undefined> {
  if (made.length === 0) return "it makes no files that git ignores";
  const { paths } = await diffWorkspace(git, workspace);
  if (paths[0] !== undefined) return `it changes files that git does not ignore: ${paths[0]}`;
  for (const path of made) {
    const tied = await findTied(workspace.path, path);
    if (tied !== undefined) return `${tied} names the folder of its workspace`;
  }
  return undefined;
}

/** Finds the first file that would lead from a copy back to this workspace: a link, a script's interpreter, a path of Python's. */
async function findTied(root: string, path: string): Promise<string | undefined> {
  const stats = await lstat(join(root, path));
  if (stats.isSymbolicLink())
    return (await readlink(join(root, path))).startsWith(`${root}/`) ? path : undefined;
  if (stats.isFile()) return (await headNames(join(root, path), root)) ? path : undefined;
  if (!stats.isDirectory()) return undefined;
  const below = await readdir(join(root, path));
  const found = await Promise.all(below.map((name) => findTied(root, join(path, name))));
  return found.find((tied) => tied !== undefined);
}

const HEAD_BYTES = 512;
const PATH_FILES = /\.(?:pth|egg-link)$/;

async function headNames(file: string, root: string): Promise<boolean> {
  // Only files in a folder of programs name an interpreter; reading the head of every file would cost more than the copy.
  const isProgram = /^\.?bin$/.test(dirname(file).slice(dirname(file).lastIndexOf("/") + 1));
  if (!isProgram && !PATH_FILES.test(file)) return false;
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead).includes(root);
  } finally {
    await handle.close();
  }
}
