import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGit } from "../../src/adapters/git/create-git.ts";
import { entryId, instant, repoName, sha } from "../../src/domain/ids.ts";
import { tellGoal } from "../goal.ts";
import { createSampleRepository } from "../workspaces/sample-repository.ts";
import { shellGit } from "../workspaces/shell-git.ts";
import { printSideBySide, ratioOf } from "../workspaces/side-by-side.ts";

const REPO = repoName("octo/bench");
/** Most of a rebase's time that it may take: with few files both are little more than the start of some processes. */
const mostOfRebase = (files: number): number => (files < 1000 ? 1 : 0.25);

/** One change on a base that moved twenty commits: a rebase in a worktree that is there, and the train's own way. */
export async function printIntegration(files: number, rounds: number): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "wavetrain-bench-train-"));
  try {
    const { remote, base, later } = await createSampleRepository(root, files);
    // A collection in the background would still write when the folder goes.
    await shellGit(remote, "config", "gc.auto", "0");
    const work = join(root, "rebase");
    await shellGit(remote, "worktree", "add", "--quiet", "--detach", work, base);
    await writeFile(join(work, "new.ts"), "new\n");
    await shellGit(work, "add", "--all");
    await shellGit(work, "commit", "--quiet", "--message", "change");
    const head = sha(await shellGit(work, "rev-parse", "HEAD"));
    await shellGit(remote, "branch", "change", head);
    const git = createGit({
      dataDir: join(root, "data"),
      remoteUrl: () => `file://${remote}`,
      maxSpares: 0,
      token: () => Promise.resolve(""),
      now: () => instant(0),
    });
    for (const branch of ["main", "change"]) await git.fetchBranch(REPO, branch);
    const rebase = {
      name: "git checkout, git rebase in a worktree that is there",
      run: async () => {
        await shellGit(work, "checkout", "--quiet", "--detach", head);
        await shellGit(work, "rebase", "--quiet", later);
      },
      tidy: async () => {
        await shellGit(work, "checkout", "--quiet", "--detach", later);
      },
    };
    const candidate = {
      name: "the train's candidate, no worktree",
      run: async () => {
        const parts = [{ entry: entryId("bench"), head, message: "m" }];
        const built = await git.buildCandidate({
          repo: REPO,
          base: later,
          method: "squash",
          parts,
        });
        if (built.kind !== "built") throw new Error(built.kind);
      },
    };
    const title = `a change on a base that moved, ${files} files`;
    const times = await printSideBySide([rebase, candidate], {
      title,
      count: rounds,
      until: Infinity,
    });
    const ratio = ratioOf(times.get(candidate.name)?.medianMs, times.get(rebase.name)?.medianMs);
    const most = mostOfRebase(files);
    const reached = ratio === undefined ? undefined : ratio <= most;
    tellGoal(`${most} of the rebase's time or less`, reached);
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}
