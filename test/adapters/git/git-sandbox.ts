import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import { createGit } from "../../../src/adapters/git/create-git.ts";
import type { GitOptions } from "../../../src/adapters/git/mirror/mirror-git.ts";
import { instant, repoName, sha, type Sha } from "../../../src/domain/ids.ts";
import type { Git, Workspace } from "../../../src/ports/git.ts";

const run = promisify(execFile);

export const REPO = repoName("octo/shop");
export const AUTHOR = { name: "Octo Cat", email: "octo@example.test" };

/** A remote with one commit, and our git adapter on an empty data folder. */
export interface GitSandbox {
  readonly root: string;
  readonly dataDir: string;
  readonly remote: string;
  readonly git: Git;
  /** Plain git as a person or an agent would run it. */
  shell(cwd: string, ...args: readonly string[]): Promise<string>;
  /** Commits files to a branch of the remote; `null` deletes. */
  commit(branch: string, files: Readonly<Record<string, string | null>>): Promise<Sha>;
  open(id: string, base?: Sha): Promise<Workspace>;
  /** `mode path` of every entry of a commit. */
  entries(commit: Sha): Promise<readonly string[]>;
  show(commit: Sha, path: string): Promise<string>;
  remove(): Promise<void>;
}

/** Made once and copied: most of a sandbox's time would go into its first commit. */
let prototype: Promise<string> | undefined;

export async function createGitSandbox(options: Partial<GitOptions> = {}): Promise<GitSandbox> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "wavetrain-git-")));
  await cp(await (prototype ??= createPrototype()), root, { recursive: true });
  const dataDir = join(root, "data");
  const remote = join(root, "remote.git");
  const person = join(root, "person");
  const mirror = join(dataDir, "mirrors", "octo", "shop.git");
  const git = createGit({
    dataDir,
    remoteUrl: () => `file://${remote}`,
    token: () => Promise.resolve("unused"),
    now: () => instant(1_700_000_000_000),
    ...options,
  });
  const commit: GitSandbox["commit"] = async (branch, files) => {
    const known = await shell(person, "branch", "--list", branch);
    if (known === "") await shell(person, "checkout", "--quiet", "-b", branch);
    else await shell(person, "checkout", "--quiet", branch);
    await writeFiles(person, files);
    await shell(person, "add", "--all");
    await shell(person, "commit", "--quiet", "--message", `change ${Object.keys(files).join(" ")}`);
    await shell(person, "push", "--quiet", "origin", branch);
    return sha((await shell(person, "rev-parse", "HEAD")).trim());
  };
  return {
    root,
    dataDir,
    remote,
    git,
    shell,
    commit,
    open: async (id, base) =>
      git.openWorkspace({ repo: REPO, id, base: base ?? (await git.fetchBranch(REPO, "main")) }),
    entries: async (of) => {
      const listed = await shell(mirror, "ls-tree", "-r", "-z", of);
      return listed
        .split("\0")
        .filter(Boolean)
        .map((entry) => `${entry.slice(0, 6)} ${entry.slice(entry.indexOf("\t") + 1)}`);
    },
    show: (of, path) => shell(mirror, "cat-file", "blob", `${of}:${path}`),
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

async function createPrototype(): Promise<string> {
  const root = await mkdtemp(join(inject("runFolder"), "prototype-"));
  const person = join(root, "person");
  await shell(root, "init", "--quiet", "--bare", "--initial-branch=main", "remote.git");
  await shell(root, "init", "--quiet", "--initial-branch=main", "person");
  await shell(person, "remote", "add", "origin", "../remote.git");
  await writeFiles(person, { "readme.md": "shop\n", "src/a.ts": "a\n", ".gitignore": "dist/\n" });
  await shell(person, "add", "--all");
  await shell(person, "commit", "--quiet", "--message", "first");
  await shell(person, "push", "--quiet", "origin", "main");
  return root;
}

export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string | null>>,
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    if (content === null) await rm(file);
    else await writeFile(file, content);
  }
}

async function shell(cwd: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run("git", args, {
    cwd,
    maxBuffer: 1 << 28,
    env: {
      PATH: process.env["PATH"],
      HOME: cwd,
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: AUTHOR.name,
      GIT_AUTHOR_EMAIL: AUTHOR.email,
      GIT_COMMITTER_NAME: AUTHOR.name,
      GIT_COMMITTER_EMAIL: AUTHOR.email,
    },
  });
  return stdout;
}
