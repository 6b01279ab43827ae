import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../../shared/app-error.ts";
import { isMissing } from "../../host/file-errors.ts";
import { copyContent } from "../lfs/copy-content.ts";
import { contentConfig, hasGitLfs, storageOf } from "../lfs/git-lfs.ts";
import { lfsFilesOf } from "../lfs/lfs-files.ts";
import { createMirrorGit, type MirrorGit } from "../mirror/mirror-git.ts";
import { branchRef } from "../mirror/refs.ts";
import { listRescues, type Rescue } from "./rescue-refs.ts";

/** Says how much a rescue changed against the base that it began from. */
export interface RescueSize {
  readonly files: number;
  readonly bytes: number;
}

/** Reads saved work from the mirrors alone: it needs no store, no network and no running server. */
export interface Rescues {
  list(): Promise<readonly Rescue[]>;
  sizeOf(rescue: Rescue): Promise<RescueSize>;
  /** Shows what `git diff --stat` shows, and the commits that the runner made by itself. */
  describe(rescue: Rescue): Promise<string>;
  /** Makes a new branch in a repository of the user's. */
  toBranch(rescue: Rescue, branch: string, repository: string): Promise<void>;
  /** Writes all files into a folder that is new or empty. */
  intoFolder(rescue: Rescue, folder: string): Promise<void>;
}

export function createRescues(dataDir: string, env: Readonly<Record<string, string>>): Rescues {
  const git = createMirrorGit({
    dataDir,
    env,
    remoteUrl: () => "",
    token: () => Promise.reject(new Error("rescued work is on this machine")),
    now: () => {
      throw new Error("nothing is written");
    },
  });
  return {
    list: () => listRescues(git),
    sizeOf: (rescue) => sizeOf(git, rescue),
    describe: (rescue) => describe(git, rescue),
    toBranch: (rescue, branch, repository) => toBranch(git, rescue, { branch, repository }),
    intoFolder: (rescue, folder) => intoFolder(git, rescue, folder),
  };
}

async function sizeOf(git: MirrorGit, { repo, base, commit }: Rescue): Promise<RescueSize> {
  const args = ["diff-tree", "-r", "-z", "--no-renames", base, commit];
  const fields = (await git.expect({ repo, args })).split("\0").filter(Boolean);
  const blobs = fields
    .filter((field) => field.startsWith(":"))
    .map((field) => field.split(" "))
    .filter(([, mode]) => mode !== "160000" && mode !== "000000")
    .map(([, , , blob]) => `${blob ?? ""}\n`);
  // Given an empty input, git would wait for ever.
  if (blobs.length === 0) return { files: fields.length / 2, bytes: 0 };
  const sizes = await git.expect({
    repo,
    args: ["cat-file", "--batch-check=%(objectsize)"],
    input: blobs.join(""),
  });
  const bytes = sizes.split("\n").reduce((sum, size) => sum + Number(size), 0);
  return { files: fields.length / 2, bytes };
}

async function describe(git: MirrorGit, { repo, base, commit }: Rescue): Promise<string> {
  const flags = ["--stat", "--summary", "--no-ext-diff", "--no-textconv"];
  const [changes, commits] = await Promise.all([
    git.call({ repo }, (typed) => typed.diff([...flags, base, commit])),
    git.expect({ repo, args: ["log", "--oneline", "--no-decorate", `${commit}^@`, `^${base}`] }),
  ]);
  const own = commits === "" ? "" : `\nCommits of its own:\n${commits}`;
  return `${changes}${own}`;
}

async function toBranch(
  git: MirrorGit,
  { repo, commit }: Rescue,
  { branch, repository }: { readonly branch: string; readonly repository: string },
): Promise<void> {
  const ref = branchRef(branch);
  const env = { GIT_DIR: await gitDirOf(git, repo, repository) };
  // It is the user's own repository: git's check of the owner would only say that it belongs to somebody else.
  const config = [["safe.directory", "*"]] as const;
  const taken = await git.run({ repo, env, config, args: ["rev-parse", "--verify", "-q", ref] });
  if (taken.code === 0) throw new AppError("git-failed", `branch ${branch} is there already`);
  const flags = ["--no-tags", "--no-write-fetch-head", "--quiet"];
  const args = ["fetch", ...flags, git.layout.mirror(repo), `${commit}:${ref}`];
  await git.expect({ repo, env, config, args });
  const files = await lfsFilesOf(git, repo, commit);
  const common = await git.expect({
    repo,
    env,
    config,
    args: ["rev-parse", "--path-format=absolute", "--git-common-dir"],
  });
  await copyContent(files, { from: storageOf(git, repo), to: join(common.trim(), "lfs") });
}

async function gitDirOf(git: MirrorGit, repo: Rescue["repo"], repository: string): Promise<string> {
  const found = await git.run({
    repo,
    args: ["-C", repository, "rev-parse", "--absolute-git-dir"],
    env: { GIT_DIR: join(repository, ".git") },
    config: [["safe.directory", "*"]],
  });
  if (found.code !== 0)
    throw new AppError("git-failed", `${repository} is not the folder of a git repository`);
  return found.stdout.trim();
}

async function intoFolder(git: MirrorGit, { repo, commit }: Rescue, folder: string): Promise<void> {
  const there = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw new AppError("git-failed", `${folder} is not a folder`, { cause: error });
  });
  if (there.length > 0) throw new AppError("git-failed", `${folder} is not empty`);
  await mkdir(folder, { recursive: true });
  const index = join(folder, ".wavetrain-index");
  const env = { GIT_WORK_TREE: folder, GIT_INDEX_FILE: index };
  try {
    const config = (await hasGitLfs(git)) ? contentConfig(git, repo) : [];
    await git.expect({ repo, env, config, args: ["read-tree", "--reset", "-u", commit] });
  } finally {
    await rm(index, { force: true });
  }
}
