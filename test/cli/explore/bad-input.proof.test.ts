import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { further, some } from "../../support/further.ts";
import { imageOf, userGit } from "../../support/user-repository.ts";
import { exploreBench, IDEAS, makeBench, removeBench, SCORED, WORK } from "./explore-bench.ts";
import type { ExploreBench } from "./explore-bench.ts";

const REPO = ["--repo", "repo"];
const ALL = [...REPO, ...IDEAS, ...WORK, ...SCORED];

describe("wavetrain explore", () => {
  let bench: ExploreBench;
  let before: Awaited<ReturnType<typeof imageOf>>;
  beforeAll(async () => {
    bench = await makeBench();
    await mkdir(join(bench.repo, "new"));
    for (const name of ["new/idea.md", "new/score.sh"])
      await writeFile(join(bench.repo, name), "echo 1\n");
    before = await imageOf(bench.folder);
  });
  afterAll(() => removeBench(bench));

  it.each(
    some<[string, string, readonly string[]]>([
      ["no ideas", "there are no ideas to try", [...REPO, ...WORK, ...SCORED]],
      ["ideas from two places", "ideas come from one place", [...ALL, "--idea", "x"]],
      ["an empty idea", "--idea is empty", [...REPO, ...WORK, ...SCORED, "--idea", " "]],
      [
        "an idea that reads like a setting",
        '--idea "score: 3": a setting is read there',
        [...REPO, ...WORK, ...SCORED, "--idea", "score: 3"],
      ],
      [
        "the same idea twice",
        'two ideas begin with "a heap"',
        [...REPO, ...WORK, ...SCORED, "--idea", "a heap", "--idea", "a  heap"],
      ],
      [
        "more ideas than there may be",
        "101 ideas, and the limit is 100",
        [
          ...REPO,
          ...WORK,
          ...SCORED,
          ...Array.from({ length: 101 }, (_, at) => `--idea=try ${at}`),
        ],
      ],
      ["no number of ideas to ask for", "--ask takes", [...REPO, ...WORK, ...SCORED, "--ask", "0"]],
      [
        "a pattern that nothing committed matches",
        "--ideas new/*.md: no file of trunk matches",
        [...REPO, ...WORK, ...SCORED, "--ideas", "new/*.md"],
      ],
      [
        "one of several patterns that matches nothing",
        "--ideas ideas/z.md: no file",
        [...ALL, "--ideas", "ideas/z.md"],
      ],
      [
        "a pattern out of the repository",
        "--ideas ../a.md: it leaves the repository",
        [...REPO, ...WORK, ...SCORED, "--ideas", "../a.md"],
      ],
      ["no score", "--score CMD is missing", [...REPO, ...IDEAS, ...WORK]],
      ["an empty score", "--score CMD is missing", [...REPO, ...IDEAS, ...WORK, "--score", ""]],
      [
        "a score that is not installed",
        "--score: no-such-score: there is no such program",
        [...REPO, ...IDEAS, ...WORK, "--score", "no-such-score"],
      ],
      [
        "a script to score with that was not committed",
        "--score: ./new/score.sh: there is no such file in ",
        [...REPO, ...IDEAS, ...WORK, "--score", "./new/score.sh"],
      ],
      [
        "files of the score that are not there",
        "--score-files data/**: no file of trunk matches",
        [...ALL, "--score-files", "data/**"],
      ],
      ["no word for the best", "--best takes high or low", [...ALL, "--best", "fast"]],
      ["nobody who does it", "--command CMD or --runner NAME is missing", [...REPO, ...IDEAS]],
      ["two who do it", "--command and --runner", [...ALL, "--runner", "codex"]],
      [
        "an unknown runner",
        "there is no runner nobody",
        [...REPO, ...IDEAS, ...SCORED, "--runner", "nobody"],
      ],
      [
        "a command that is not installed",
        "--command: no-such-agent: there is no such program",
        [...REPO, ...IDEAS, ...SCORED, "--command", "no-such-agent -p"],
      ],
      [
        "a script that is nowhere",
        "--command: ./nowhere.sh: there is no such file in ",
        [...REPO, ...IDEAS, ...SCORED, "--command", "./nowhere.sh"],
      ],
      [
        "a verify command that is not installed",
        "--verify: no-such",
        [...ALL, "--verify", "no-such"],
      ],
      ["no repository there", "no such folder", ["--repo", "/nowhere", ...ALL.slice(2)]],
      ["a folder without a repository", "not a git repository", ["--repo", ".", ...ALL.slice(2)]],
      ["no level", "--depth takes a whole number from 1 to 10", [...ALL, "--depth", "0"]],
      ["half a level", "--depth takes", [...ALL, "--depth", "1.5"]],
      ["a level in words", "--depth takes", [...ALL, "--depth", "two"]],
      ["no beam", "--beam takes a whole number from 1 to 20", [...ALL, "--beam", "0"]],
      ["nothing at once", "--max-parallel-evals takes", [...ALL, "--max-parallel-evals", "0"]],
      [
        "nothing of a node",
        "--max-parallel-per-node takes",
        [...ALL, "--max-parallel-per-node", "0"],
      ],
      ["fewer than no retries", "--eval-retries takes", [...ALL, "--eval-retries", "-1"]],
      ["no time", "--eval-timeout-seconds takes", [...ALL, "--eval-timeout-seconds", "0"]],
      ["no patience", "--patience takes", [...ALL, "--patience", "0"]],
      [
        "too many evaluations",
        "100 ideas, --depth 10 and --beam 20 make up to 18,100 evaluations, and the limit is 1,000",
        [...REPO, ...WORK, ...SCORED, "--ask", "100", "--depth", "10", "--beam", "20"],
      ],
      ["no task", "--task is empty", [...ALL, "--task", " "]],
      [
        "no file of the task",
        "--task-file none.md: cannot be read",
        [...ALL, "--task-file", "none.md"],
      ],
      ["an impossible path to change", "--files /etc: absolute path", [...ALL, "--files", "/etc"]],
      ["an unknown HOME", "--home takes own or user", [...ALL, "--home", "mine"]],
      [
        "your HOME in a sandbox",
        "--home user goes without a sandbox",
        [...ALL, "--home", "user", "--sandbox", "bubblewrap"],
      ],
      ["a variable that is not set", "--env NOT_SET: it is not set", [...ALL, "--env", "NOT_SET"]],
      ["an impossible port", "--port takes", [...ALL, "--port", "70000"]],
      ["an unknown option", "unknown option", [...ALL, "--agent", "x"]],
    ]),
  )("refuses %s in one line", { concurrent: false }, async (_, words, args) => {
    const { run, left, folder } = bench;
    const end = await run(args);
    expect(end).toMatchObject({ exitCode: 2, stdout: "" });
    expect(end.stderr).toMatch(/^error: [^\n]+\n$/);
    expect(end.stderr).toContain(words);
    expect(await left()).toEqual([]);
    expect(await imageOf(folder)).toEqual(before);
  });

  further("refuses ten thousand ideas in one line", async () => {
    const { start, repo, git } = await exploreBench();
    const numbers = Array.from({ length: 10_000 }, (_, at) => at);
    await Promise.all(numbers.map((at) => writeFile(join(repo, "ideas", `${at}.md`), "x")));
    await git("add", ".");
    await git("commit", "--quiet", "--message=more");
    expect(await start(IDEAS)).toMatchObject({
      exitCode: 2,
      stderr: "error: --ideas: 10,003 ideas, and the limit is 100\n",
    });
  });

  it("refuses settings of the repository that cannot be used, and words that hide the ideas", async () => {
    const { start, run, repo, git, folder } = await exploreBench();
    await writeFile(join(folder, "task.md"), "### Explore\n\nask: 3\n");
    const hidden = await start(IDEAS, "--task-file", "task.md");
    expect(hidden).toMatchObject({ exitCode: 2, stdout: "" });
    expect(hidden.stderr).toMatch(/^error: "ideas" and "ask" exclude each other[^\n]+\n$/);
    await writeFile(join(folder, "task.md"), "Depends on #3\n");
    expect((await start(IDEAS, "--task-file", "task.md")).stderr).toBe(
      "error: --task-file: it depends on other issues, and there are none here\n",
    );
    await mkdir(join(repo, ".github"));
    await writeFile(join(repo, ".github", "wavetrain.yml"), "explore: { depth: 99 }\n");
    await git("add", ".");
    await git("commit", "--quiet", "--message=settings");
    const bad = await run(ALL);
    expect(bad).toMatchObject({ exitCode: 2, stdout: "" });
    expect(bad.stderr).toMatch(/^error: \.github\/wavetrain\.yml:1:19: explore.depth: [^\n]*\n$/);
  });

  it.each(
    some([
      ["echo fast", 'its last line was "fast"'],
      ["true", "it printed nothing"],
      ["echo 3; exit 4", 'it ended with exit code 4, and its last line was "3"'],
    ]),
  )("tries nothing where the score %j is no number of the base", async (score, words) => {
    const { run, folder, agent, left } = await exploreBench();
    await agent(`touch '${folder}/tried'`);
    const args = [...REPO, ...IDEAS, ...WORK, "--score", score, "--json", "--pacing", "off"];
    const before = await imageOf(folder);
    expect(await run(args)).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: `error: --score of the base itself is no number: ${words}; it has to exit with 0 and end with a number\n`,
    });
    expect(await left()).toEqual([]);
    expect(await imageOf(folder)).toEqual(before);
  });

  further("refuses a repository without commits, and a branch that is none", async () => {
    const { run, folder, git } = await exploreBench();
    const rest = ["--command", "true", ...IDEAS, "--score", "echo 1"];
    await userGit(folder)("init", "--quiet", "empty");
    const empty = await run("--repo", "empty", rest);
    expect(empty).toMatchObject({ exitCode: 2, stdout: "" });
    expect(empty.stderr).toContain("no commit yet");
    await git("checkout", "--quiet", "--detach");
    expect((await run(REPO, rest)).stderr).toContain("HEAD is detached");
  });

  it("is in the list of commands, with its options", async () => {
    const { run } = await exploreBench();
    const { exitCode, stdout } = await run("--help");
    expect(exitCode).toBe(0);
    expect(stdout).toContain("--max-parallel-per-node <n>");
  });
});
