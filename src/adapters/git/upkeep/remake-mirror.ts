import { mkdir, mkdtemp, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CONTENDER_REFS } from "../../../domain/contenders.ts";
import { isSha, type RepoName, type Sha } from "../../../domain/ids.ts";
import { ensureMirror, initBare } from "../mirror/ensure-mirror.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";
import { remoteAccess } from "../remote/remote-access.ts";
import { RESCUE_REFS } from "../rescue/rescue-refs.ts";

/**
 * Moves a damaged mirror aside and makes it anew from the remote, with the work that was saved in the old one. Returns whether that
 * could be done. Callers must have the repository's turn in the queue.
 */
export async function remakeMirror(
  git: MirrorGit,
  repo: RepoName,
  trouble: string,
): Promise<boolean> {
  const old = await git.aside.put(git.layout.mirror(repo), trouble);
  if (old === undefined) return false;
  await ensureMirror(git, repo);
  const access = await remoteAccess(git, repo);
  // We fetch all branches, because workspaces borrow objects of the mirror and nobody knows from which branch.
  const flags = ["--no-tags", "--no-write-fetch-head", "--no-auto-maintenance"];
  const args = ["fetch", ...flags, access.url, "+refs/heads/*:refs/wavetrain/remade/*"];
  // If the remote is away now, whoever needs it asks again.
  await git.run({ repo, args, ...access.extra });
  await adoptSaved(git, repo, old);
  return true;
}

/** Takes over rescued work and the work of contenders, which no remote has. It does so one by one, so that a damaged one spoils no other. */
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
  return ref.startsWith(RESCUE_REFS) || ref.startsWith(CONTENDER_REFS);
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
