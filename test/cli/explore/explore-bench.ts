import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { onTestFinished } from "vitest";
import type { ExploreResult } from "../../../src/cli/explore/explore-result.ts";
import { bundledApp } from "../../support/bundle-app.ts";
import { userGit } from "../../support/user-repository.ts";
import type { UserGit } from "../../support/user-repository.ts";

/** Each idea is a number; the agent adds it to the value, and the score is the value. */
const FILES: Readonly<Record<string, string>> = {
  "value.txt": "10\n",
  "ideas/a.md": "3\n",
  "ideas/b.md": "5\n",
  "ideas/c.md": "1\n",
};
const SCORE = "#!/bin/sh\necho scoring\ncat value.txt\n";
const ADD = 'echo $(($(cat value.txt) + $(cat "$WAVETRAIN_IDEA_FILE"))) > value.txt\n';

type Words = string | readonly string[];
type Program = ReturnType<typeof startProgram>;

function startProgram(program: string, folder: string, args: readonly string[]) {
  return execa("node", [program, "explore", ...args], {
    cwd: folder,
    env: { TMPDIR: folder, GIVEN: "given", HIDDEN: "hidden" },
    reject: false,
    stdin: "ignore",
    stripFinalNewline: false,
  });
}

export interface ExploreBench {
  /** Everything that the program makes is in it. */
  readonly folder: string;
  readonly repo: string;
  readonly git: UserGit;
  /** Writes the agent; what it does first is given, then it adds. */
  readonly agent: (before?: string) => Promise<void>;
  /** Explores the repository with the agent and the score, unless the options say otherwise. */
  readonly start: (...args: readonly Words[]) => Program;
  /** The same with nothing else said. */
  readonly run: (...args: readonly Words[]) => Program;
  /** What the program left in its temporary folder. */
  readonly left: () => Promise<readonly string[]>;
}

export const IDEAS = ["--ideas", "ideas/*.md"];
export const SCORED = ["--score", "./score.sh"];
export const WORK = ["--command", "./agent.sh"];

/** A repository of its own for one test. */
export async function exploreBench(): Promise<ExploreBench> {
  const bench = await makeBench();
  onTestFinished(() => removeBench(bench));
  return bench;
}

export async function removeBench({ folder }: Pick<ExploreBench, "folder">): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

export async function makeBench(): Promise<ExploreBench> {
  const program = await bundledApp();
  const folder = await realpath(await mkdtemp(join(tmpdir(), "explore-test-")));
  const repo = join(folder, "repo");
  const git = userGit(repo);
  await mkdir(join(repo, "ideas"), { recursive: true });
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(repo, name), text);
  await writeFile(join(repo, "score.sh"), SCORE, { mode: 0o755 });
  await git("init", "--quiet", "--initial-branch=trunk");
  await git("add", ".");
  await git("commit", "--quiet", "--message=first");
  const agent = (before = ""): Promise<void> =>
    writeFile(join(folder, "agent.sh"), `#!/bin/sh\n${before}\n${ADD}`, { mode: 0o755 });
  await agent();
  const run: ExploreBench["run"] = (...args) => startProgram(program, folder, args.flat());
  const start: ExploreBench["start"] = (...args) => run("--repo", "repo", WORK, SCORED, ...args);
  const left = async (): Promise<readonly string[]> =>
    (await readdir(folder)).filter((name) => name.startsWith("wavetrain-"));
  return { folder, repo, git, agent, start, run, left };
}

export function resultOf({ stdout }: { readonly stdout: string }): ExploreResult {
  return JSON.parse(stdout) as ExploreResult;
}
