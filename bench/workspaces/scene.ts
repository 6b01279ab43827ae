import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { createGit } from "../../src/adapters/git/create-git.ts";
import { instant, repoName } from "../../src/domain/ids.ts";
import type { Git } from "../../src/ports/git.ts";
import type { SampleRepository } from "./sample-repository.ts";

export const REPO = repoName("octo/bench");
export const AUTHOR = { name: "bench", email: "bench@example.test" };

/** One repository of a size, and how long its measurements may take. */
export interface Scene {
  readonly root: string;
  readonly files: number;
  readonly sample: SampleRepository;
  readonly rounds: number;
  readonly until: number;
}

/** Our git with an empty data folder, and the base branch in its mirror. */
export async function gitWith({ root, sample }: Scene, maxSpares: number): Promise<Git> {
  const git = createGit({
    dataDir: await mkdtemp(join(root, "data-")),
    remoteUrl: () => `file://${sample.remote}`,
    token: () => Promise.resolve(""),
    now: () => instant(0),
    maxSpares,
  });
  await git.fetchBranch(REPO, "main");
  return git;
}
