import {
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readlink,
  rename,
  writeFile,
  rm,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RepoName, Sha } from "../../../domain/ids.ts";
import type { Workspace, SetupOutcome, SetupRequest, SetupInputs } from "../../../ports/git.ts";
import { digest } from "../../../shared/digest.ts";
import { removeFolder } from "../../host/folders.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";
import { renewWorkspace } from "../workspace/open-workspace.ts";
import {
  copyTree,
  noteSetup,
  fillFromTemplate,
  findTemplate,
  textOf,
} from "../workspace/setup-template.ts";
import type { Template } from "../workspace/setup-template.ts";
import { diffWorkspace, listUntracked, removeUntracked } from "../workspace/workspace-changes.ts";

interface Setup extends SetupRequest {
  readonly git: MirrorGit;
  readonly workspace: Workspace;
}

/** Prepares a workspace once. From then on it belongs to its runner: neither setup nor a copy touches it again, even after a restart. */
export async function provideSetup(
  git: MirrorGit,
  workspace: Workspace,
  request: SetupRequest,
): Promise<SetupOutcome> {
  const folder = git.layout.workspaceFolder(workspace.repo, workspace.place);
  if ((await textOf(folder.stage)) === "prepared") return { kind: "reused" };
  const outcome = await provide({ ...request, git, workspace });
  if (outcome.kind !== "failed") await writeFile(folder.stage, "prepared");
  return outcome;
}

async function provide(setup: Setup): Promise<SetupOutcome> {
  const { git, workspace, inputs } = setup;
  const key = inputs === undefined ? undefined : await setupKey(git, workspace, inputs);
  const { setup: note } = git.layout.workspaceFolder(workspace.repo, workspace.place);
  const present = await textOf(note);
  if (present !== undefined && present === key) return { kind: "reused" };
  if (present !== undefined) {
    await rm(note);
    await removeUntracked(git, workspace);
  }
  if (key === undefined) return make(setup);
  const known = await findTemplate(git, workspace.repo, key);
  if (known.kind === "template") return reuse(setup, known.template);
  if (known.kind === "refused" || !setup.mayKeep) return make(setup);
  return (await takeTurn(setup, key)) ?? make(setup);
}

/** Computes a key that is the same for commits of which setup makes the same; returns undefined when no file decides that. */
async function setupKey(
  git: MirrorGit,
  { repo, base }: { readonly repo: RepoName; readonly base: Sha },
  inputs: SetupInputs,
): Promise<string | undefined> {
  const args = ["ls-tree", "-r", "-z", "--full-tree", base];
  const entries = (await git.expect({ repo, args })).split("\0").filter(Boolean);
  const pathOf = (entry: string): string => entry.slice(entry.indexOf("\t") + 1);
  const keyed = entries.filter((entry) => inputs.isKeyFile(pathOf(entry)));
  if (keyed.length === 0) return undefined;
  // A template holds the files that git ignores. Where the ignored paths differ, a copy might show up as somebody's work.
  const ignores = entries.filter((entry) => /(^|\/)\.gitignore$/.test(pathOf(entry)));
  const { version, platform, arch } = process;
  return digest({ keyed, ignores, command: inputs.command, host: [version, platform, arch] });
}

/** When several runs begin at once with the same lockfile, the first runs setup; the others wait for it and get a copy. */
async function takeTurn(setup: Setup, key: string): Promise<SetupOutcome | undefined> {
  const { git, workspace, signal } = setup;
  let begun = false;
  const turn = git.serialize(`setup ${workspace.repo} ${key}`, async () => {
    begun = true;
    if (signal.aborted) return undefined;
    const known = await findTemplate(git, workspace.repo, key);
    if (known.kind === "template") return reuse(setup, known.template);
    return known.kind === "refused" ? undefined : makeAndKeep(setup, key);
  });
  const stopped = new Promise<undefined>((resolve) => {
    const stopWaiting = (): void => {
      // Once setup runs it ends by itself: nobody may leave a workspace in which processes are at work.
      if (!begun) resolve(undefined);
    };
    signal.addEventListener("abort", stopWaiting, { once: true });
    if (signal.aborted) stopWaiting();
  });
  return Promise.race([turn, stopped]);
}

async function reuse({ git, workspace }: Setup, template: Template): Promise<SetupOutcome> {
  await fillFromTemplate(template, git.layout.workspaceFolder(workspace.repo, workspace.place));
  return { kind: "reused" };
}

async function make(setup: Setup): Promise<SetupOutcome> {
  return (await setup.make()) ? { kind: "made", notKept: undefined } : { kind: "failed" };
}

async function makeAndKeep(setup: Setup, key: string): Promise<SetupOutcome> {
  await renewWorkspace(setup.git, setup.workspace);
  const made = await make(setup);
  if (made.kind !== "made") return made;
  return { kind: "made", notKept: await keepSetup(setup.git, setup.workspace, key) };
}

/**
 * Copies the ignored files of a workspace into a template. Nobody but setup may have worked in the workspace yet. When another
 * workspace could not use a copy, it returns the reason and remembers it: setup then runs every time.
 */
async function keepSetup(
  git: MirrorGit,
  workspace: Workspace,
  key: string,
): Promise<string | undefined> {
  const { repo } = workspace;
  const folder = git.layout.workspaceFolder(repo, workspace.place);
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
