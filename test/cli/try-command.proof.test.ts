import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { TryResult } from "../../src/cli/try/result.ts";
import { bundledApp } from "../support/bundle-app.ts";
import { further } from "../support/further.ts";
import { firstPull, newHead, review } from "../support/open-pages.ts";
import { imageOf, userGit } from "../support/user-repository.ts";

const TASKS = `
- { id: one, files: [one.txt] }
- { id: two, files: [two.txt] }
- { id: three, files: [three.txt], dependsOn: [one] }
`;
const WRITE = `printf '%s\\n' "$WAVETRAIN_TASK_ID" > "$WAVETRAIN_TASK_ID.txt"`;

interface Bench {
  readonly folder: string;
  readonly repo: string;
  readonly tasks: string;
  readonly start: (...args: readonly string[]) => ReturnType<typeof startTry>;
  readonly git: (...args: readonly string[]) => Promise<string>;
}

/** Everything that the program makes is below it. */
let tmp = "";
let program = "";
beforeAll(async () => {
  program = await bundledApp();
  tmp = await mkdtemp(join(tmpdir(), "try-test-"));
});
afterAll(async () => rm(tmp, { recursive: true, force: true }));

async function leftBehind(): Promise<readonly string[]> {
  return (await readdir(tmp)).filter((name) => name.startsWith("wavetrain-"));
}

function startTry(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { cwd = tmp, ...variables } = environment;
  return execa("node", [program, "try", ...args], {
    cwd,
    env: { TMPDIR: tmp, ...variables },
    reject: false,
    stdin: "ignore",
    stripFinalNewline: false,
  });
}

async function bench(tasks = TASKS): Promise<Bench> {
  const folder = await mkdtemp(join(tmp, "bench-"));
  onTestFinished(async () => {
    for (const name of [folder, ...(await leftBehind())]) {
      await rm(resolve(tmp, name), { recursive: true, force: true });
    }
  });
  const [repo, file] = [join(folder, "repo"), join(folder, "tasks.yml")];
  await Promise.all([mkdir(repo), writeFile(file, tasks)]);
  const git = userGit(repo);
  await git("init", "--quiet", "--initial-branch=trunk");
  await writeFile(join(repo, "kept.txt"), "kept\n");
  await git("add", ".");
  await git("commit", "--quiet", "--message=first");
  return { folder, repo, tasks: file, git, start: (...args) => startTry(args) };
}

describe("wavetrain try", () => {
  it.each<[string, string, (given: Bench) => readonly string[]]>([
    [
      "no repository there",
      "no such folder",
      ({ tasks }) => ["--repo", "/nowhere", "--tasks", tasks, "--command", "true"],
    ],
    [
      "a folder without a repository",
      "not a git repository",
      ({ folder, tasks }) => ["--repo", folder, "--tasks", tasks, "--command", "true"],
    ],
    [
      "no task file there",
      "cannot be read",
      ({ repo }) => ["--repo", repo, "--tasks", "/nowhere.yml", "--command", "true"],
    ],
    [
      "a file that is no list of tasks",
      "kept.txt:1: ",
      ({ repo }) => ["--repo", repo, "--tasks", join(repo, "kept.txt"), "--command", "true"],
    ],
    ["a repository without tasks", "--repo needs --tasks", ({ repo }) => ["--repo", repo]],
    ["tasks without a command", "--tasks needs --command", ({ tasks }) => ["--tasks", tasks]],
    ["an empty command", "--command is empty", ({ tasks }) => ["--tasks", tasks, "--command", " "]],
    [
      "a command that is not installed",
      "no-such-agent: there is no such program",
      ({ repo, tasks }) => ["--repo", repo, "--tasks", tasks, "--command", "no-such-agent -p"],
    ],
    [
      "a verify command that is not installed",
      "--verify: no-such-check",
      ({ repo, tasks }) => [
        "--repo",
        repo,
        "--tasks",
        tasks,
        "--command",
        WRITE,
        "--verify",
        "no-such-check",
      ],
    ],
    ["an impossible number of runs", "--parallel takes", () => ["--parallel", "0"]],
    ["an impossible port", "--port takes", () => ["--port", "70000"]],
    ["an unknown way to approve", "--approve takes", () => ["--approve", "later"]],
    ["an unknown pace", "--pacing takes polite or off", () => ["--pacing", "fast"]],
    ["an unknown sandbox", "--sandbox takes bubblewrap or none", () => ["--sandbox", "jail"]],
    ["a variable that is not set", "--env NOT_SET: it is not set", () => ["--env", "NOT_SET"]],
    ["no variable's name", "--env a-b: expected the name", () => ["--env", "a-b"]],
    ["an empty verify command", "--verify is empty", () => ["--verify", " "]],
    [
      "a relative program that is nowhere",
      "./agent.sh: there is no such file in ",
      ({ repo, tasks }) => ["--repo", repo, "--tasks", tasks, "--command", "./agent.sh"],
    ],
    ["an unknown option", "unknown option", () => ["--agent", "x"]],
    [
      "an unknown runner",
      "there is no runner nobody; there are codex,",
      () => ["--runner", "nobody"],
    ],
  ])("refuses %s in one line", { concurrent: false }, async (_, words, args) => {
    const given = await bench();
    const end = await given.start(...args(given));
    expect(end).toMatchObject({ exitCode: 2, stdout: "" });
    expect(end.stderr).toMatch(/^[^\n]+\n$/);
    expect(end.stderr).toContain(words);
    expect(await leftBehind()).toEqual([]);
  });

  it("refuses a repository without commits, and one without its history", async () => {
    const { folder, repo, tasks, start } = await bench();
    const [empty, shallow] = [join(folder, "empty"), join(folder, "shallow")];
    await execa("git", ["init", "--quiet", empty]);
    await execa("git", [
      "-C",
      repo,
      "-c",
      "user.name=t",
      "-c",
      "user.email=t@e",
      "commit",
      "--quiet",
      "--allow-empty",
      "-m",
      "second",
    ]);
    await execa("git", ["clone", "--quiet", "--depth=1", `file://${repo}`, shallow]);
    for (const [given, words] of [
      [empty, "no commit yet"],
      [shallow, "shallow clone"],
    ] as const) {
      const end = await start("--repo", given, "--tasks", tasks, "--command", "true");
      expect(end).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(words) as string });
    }
  });

  it("refuses a port that is in use in one line", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const { start } = await bench();
    const end = await start("--port", String(port), "--json");
    expect(end).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: `error: port ${port} is in use\n`,
    });
    expect(await leftBehind()).toEqual([]);
  });

  it("refuses a preset whose key is missing, by doctor's own check", async () => {
    const { folder } = await bench();
    await writeFile(join(folder, "claude"), "#!/bin/sh\necho 2.1.0\n", { mode: 0o755 });
    const environment = { PATH: `${folder}:${process.env.PATH ?? ""}`, ANTHROPIC_API_KEY: "" };
    const end = await startTry(["--runner", "claude", "--sandbox", "none"], environment);
    expect(end).toMatchObject({ exitCode: 2, stdout: "" });
    expect(end.stderr).toMatch(/^error: runner claude: .*ANTHROPIC_API_KEY.*\n$/);
    expect(await leftBehind()).toEqual([]);
  });

  it("lands every task with a command that runs as typed, prints pure JSON and leaves the repository as it was", async () => {
    const { folder, repo, tasks, git } = await bench();
    await writeFile(join(repo, "kept.txt"), "changed and not committed\n");
    await writeFile(join(repo, "staged.txt"), "staged\n");
    await git("add", "staged.txt");
    const before = await imageOf(repo);
    const sees = `[ "$HOME" = "${folder}" ] && [ "$MINE" = mine ] && [ -z "$GIT_DIR$PRIVATE_KEY" ]`;
    await writeFile(join(folder, "agent.sh"), `#!/bin/sh\n${sees} && ${WRITE}\n`, { mode: 0o755 });
    const end = await startTry(
      ["--repo", "repo", "--tasks", tasks, "--command", "./agent.sh", "--verify", sees, "--json"],
      { cwd: folder, HOME: folder, MINE: "mine", GIT_DIR: "/elsewhere", PRIVATE_KEY: "secret" },
    );
    expect(end.exitCode).toBe(0);
    expect(await imageOf(repo)).toEqual(before);
    const [board, sandbox, processes, settings, base, ...rest] = end.stderr.split("\n");
    expect(board).toMatch(/^Board: http:\/\/127\.0\.0\.1:\d+\/\?key=[\w-]{32} \(to read along\)$/);
    expect(sandbox).toBe("Sandbox: none, your HOME; --sandbox bubblewrap keeps it in");
    expect(processes).toMatch(/^Processes: /);
    expect(settings).toContain('home "user" instead of "own" (a typed command runs as typed)');
    expect(base).toMatch(/^Base: trunk at [0-9a-f]{7} passes `/);
    expect(rest.join("")).toBe("");

    const result = JSON.parse(end.stdout) as TryResult;
    expect(result.tasks.map(({ id, state, outcome, wave }) => [id, state, outcome, wave])).toEqual([
      ["one", "landed", "succeeded", 1],
      ["two", "landed", "succeeded", 1],
      ["three", "landed", "succeeded", 2],
    ]);
    const iso = expect.stringMatching(/^\d{4}-.*Z$/) as string;
    const count = expect.any(Number) as number;
    const sha = expect.stringMatching(/^[0-9a-f]{40}$/) as string;
    expect(result).toMatchObject({
      main: sha,
      startedAt: iso,
      finishedAt: iso,
      repo: expect.stringContaining(tmp) as string,
      apiCalls: { rest: count, graphql: count, writes: count, contentWrites: count, refused: 0 },
      maxParallel: 2,
      serialTimeMs: count,
      wallTimeMs: count,
      speedUp: count,
      speedUpAllowed: count,
    });
    expect(result.speedUp).toBeCloseTo(result.serialTimeMs / result.wallTimeMs, 5);
    expect(result.speedUpAllowed).toBeGreaterThan(result.speedUp);
    for (const task of result.tasks) {
      expect(task).toMatchObject({ attempts: 1, pr: count, landedSha: sha });
      expect(task).toMatchObject({ startedAt: iso, finishedAt: iso, landedAt: iso });
    }
    const bare = async (...args: string[]) =>
      (await execa("git", ["-C", result.repo, ...args])).stdout;
    expect(await bare("rev-parse", "trunk")).toBe(result.main);
    expect((await bare("ls-tree", "--name-only", "trunk")).split("\n")).toEqual([
      "kept.txt",
      "one.txt",
      "three.txt",
      "two.txt",
    ]);
    expect(await bare("show", "trunk:three.txt")).toBe("three");
  });

  further(
    "lands the others when a task cannot be done, and says so with its exit code",
    async () => {
      const { repo, tasks, start } = await bench(
        "- { id: good, files: [good.txt] }\n- { id: bad, files: [bad.txt] }\n",
      );
      const command = `[ "$WAVETRAIN_TASK_ID" != bad ] && ${WRITE}`;
      const end = await start(
        "--repo",
        repo,
        "--tasks",
        tasks,
        "--command",
        command,
        "--verify",
        "true",
        "--json",
      );
      expect(end.exitCode).toBe(1);
      const { tasks: results } = JSON.parse(end.stdout) as TryResult;
      expect(results.map(({ id, state, outcome }) => [id, state, outcome])).toEqual([
        ["good", "landed", "succeeded"],
        ["bad", "failed", "failed"],
      ]);
    },
  );

  it("19: does not begin where the base itself is red, and says what to do", async () => {
    const { start, repo, tasks, folder } = await bench("- { id: one, files: [one.txt] }");
    const mark = join(folder, "begun");
    const work = ["--repo", repo, "--tasks", tasks, "--command", `touch ${mark}`];
    const verify = "echo 1 failing; test -f one.txt";
    const { exitCode, stdout, stderr } = await start(...work, "--verify", verify, "--json");
    const { tasks: results, end } = JSON.parse(stdout) as TryResult;
    expect([exitCode, end, results[0]?.state]).toEqual([1, "red-base", "waiting"]);
    const sentence = new RegExp(
      `the base itself fails: \`${verify}\` on trunk at [0-9a-f]{7}; agents would work in vain. Mend it, or leave --verify out`,
    );
    expect(results[0]?.reason).toMatch(sentence);
    expect(stderr).toMatch(sentence);
    const [, log = ""] = /The whole output: (.+)\n$/.exec(stderr) ?? [];
    expect([stderr, await readFile(log, "utf8")]).toEqual([
      expect.stringContaining("\n  1 failing\n"),
      expect.stringContaining("1 failing"),
    ]);
    expect(await readdir(folder)).not.toContain("begun");
  });

  further("does not begin where setup fails on the base, also when nothing verifies", async () => {
    const { start, repo, tasks } = await bench();
    const setup = ["--setup", "echo no such package; exit 4"];
    const end = await start("--repo", repo, "--tasks", tasks, "--command", WRITE, ...setup);
    expect(end.exitCode).toBe(1);
    expect(end.stdout).toContain("Verify: nothing: what agents do lands as it is");
    expect(end.stderr).toContain(
      "Mend it, or leave --setup out\n  no such package\n  setup failed: ",
    );
  });

  it("ends at Ctrl-C while the base is verified, and begins nothing", async () => {
    const { start, repo, tasks, folder } = await bench();
    const mark = join(folder, "verifying");
    const verify = `echo begun > '${mark}'; sleep 300`;
    const work = ["--repo", repo, "--tasks", tasks, "--command", WRITE, "--verify", verify];
    const run = start(...work);
    await eventually(async () => (await readFile(mark, "utf8").catch(() => "")).trim());
    run.kill("SIGINT");
    const end = await run;
    expect([end.exitCode, end.stderr]).toEqual([1, ""]);
    expect(end.stdout).toMatch(/one: waiting: it was not begun\n[^]*Interrupted: .*Begin again/);
  });

  further(
    "answers requested changes by a runner of the operator's file, lands what a person approves, and stays until Ctrl-C",
    async () => {
      const { folder, repo, tasks } = await bench("- { id: only, files: [only.txt] }\n");
      const config = join(folder, "operator.yml");
      const command = 'printf "%s\\n" "$WAVETRAIN_ATTEMPT" > only.txt';
      const runners = {
        ours: { command, env: ["WORD"], fallback: ["other"], prompt: "Do {{id}}: {{task}}" },
        other: { command: "false" },
      };
      await writeFile(config, JSON.stringify({ runners, sandbox: "none" }));
      const work = ["--repo", repo, "--tasks", tasks, "--runner", "ours", "--verify", "true"];
      const run = startTry([...work, "--approve", "manual", "--pacing", "off", "--stay"], {
        WAVETRAIN_CONFIG: config,
        WORD: "w",
      });
      const board = await addressIn(run.stdout);
      const pull = await firstPull(board);
      const first = await review(board, pull, { verdict: "request-changes", words: "Once more." });
      await newHead(board, pull, first);
      await review(board, pull, { verdict: "approve" });
      let shown = "";
      run.stdout.on("data", (chunk: Buffer) => (shown += chunk.toString()));
      await eventually(() => Promise.resolve(/All is at rest/.exec(shown)?.[0]));
      run.kill("SIGINT");
      const end = await run;
      expect([end.exitCode, end.stderr]).toEqual([0, ""]);
      expect(end.stdout).toContain('github.pacing "off"');
      expect(end.stdout).toMatch(
        /only +in review +changes are requested on #2; a run starts after 5 s of quiet \(in \d s\)/,
      );
      expect(end.stdout).toMatch(/only +verifying +ours \(attempt 1\) has ended/);
      expect(end.stdout).toMatch(/only +landed +1 +2 +/);
    },
  );

  it("ends at Ctrl-C with exit code 1 and leaves nothing but the result", async () => {
    const { repo, tasks, start, folder } = await bench("- { id: only, files: [only.txt] }\n");
    const mark = join(folder, "running");
    const sleep = `sleep 300.${process.pid}`;
    const command = `echo begun > '${mark}'; ${sleep}`;
    const run = start(
      "--repo",
      repo,
      "--tasks",
      tasks,
      "--command",
      command,
      "--verify",
      "true",
      "--json",
    );
    await eventually(async () => (await readFile(mark, "utf8").catch(() => "")).trim());
    run.kill("SIGINT");
    const end = await run;
    expect(end.exitCode).toBe(1);
    expect(JSON.parse(end.stdout)).toMatchObject({
      end: "interrupted",
      tasks: [{ id: "only", state: "running" }],
    });
    expect((await execa("ps", ["-eo", "args"])).stdout).not.toContain(sleep);
    const [left = "", ...more] = await leftBehind();
    expect([more, await readdir(join(tmp, left))]).toEqual([[], ["github"]]);
  });

  further("ends when nobody reads on", async () => {
    const { repo, tasks, start } = await bench("- { id: only, files: [only.txt] }\n");
    const run = start(
      "--repo",
      repo,
      "--tasks",
      tasks,
      "--command",
      "sleep 300",
      "--verify",
      "true",
    );
    run.stdout.once("data", () => run.stdout.destroy());
    const end = await run;
    expect([end.exitCode, end.stderr]).toEqual([1, ""]);
  });
});

async function addressIn(stream: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve) => {
    stream.on("data", (chunk: Buffer) => {
      const [address] = /http:\/\/[^ ]+/.exec(chunk.toString()) ?? [];
      if (address !== undefined) resolve(address);
    });
  });
}

async function eventually(look: () => Promise<string | undefined>): Promise<string> {
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== "") return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
