import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { TryResult } from "../../src/cli/try/result.ts";
import { bundledApp } from "../support/bundle-app.ts";
import { openPages } from "../support/open-pages.ts";

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
  return execa("node", [program, "try", ...args], {
    env: { TMPDIR: tmp, ...environment },
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
  const git = async (...args: readonly string[]): Promise<string> => {
    const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
    return (await execa("git", [...identity, ...args], { cwd: repo })).stdout;
  };
  await git("init", "--quiet", "--initial-branch=trunk");
  await writeFile(join(repo, "kept.txt"), "kept\n");
  await git("add", ".");
  await git("commit", "--quiet", "--message=first");
  return { folder, repo, tasks: file, git, start: (...args) => startTry(args) };
}

/** Refs, HEAD, index and working tree, byte for byte. */
async function imageOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const image = files.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    return [path, await readFile(path, "base64")] as const;
  });
  return Object.fromEntries(await Promise.all(image));
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

  it("lands every task, prints pure JSON and leaves the repository as it was", async () => {
    const { repo, tasks, start, git } = await bench();
    await writeFile(join(repo, "kept.txt"), "changed and not committed\n");
    await writeFile(join(repo, "staged.txt"), "staged\n");
    await git("add", "staged.txt");
    const before = await imageOf(repo);
    const end = await start(
      "--repo",
      repo,
      "--tasks",
      tasks,
      "--command",
      WRITE,
      "--verify",
      "true",
      "--json",
    );
    expect(end.exitCode).toBe(0);
    expect(await imageOf(repo)).toEqual(before);
    expect(end.stderr).toMatch(
      /^Board: http:\/\/127\.0\.0\.1:\d+\/\?key=[\w-]{32} \(to read along\)\nSandbox: none: what does the work can do all that you can, and could approve its own changes; [^\n]+\nSettings: the defaults, but sandbox "none" instead of "auto" \(a typed command runs as typed[^)\n]*\)[^\n]*\n$/,
    );

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

  it("lands the others when a task cannot be done, and says so with its exit code", async () => {
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
  });

  it("19: ends where the base itself is red, and says so", async () => {
    const { start, repo, tasks } = await bench("- { id: one, files: [one.txt] }");
    const work = ["--repo", repo, "--tasks", tasks, "--command", WRITE];
    const { exitCode, stdout } = await start(...work, "--verify", "test -f one.txt", "--json");
    const { tasks: results } = JSON.parse(stdout) as TryResult;
    expect([exitCode, results[0]?.state]).toEqual([1, "queued"]);
    expect(results[0]?.reason).toMatch(/^the train is halted: trunk itself fails at [0-9a-f]{7}$/);
  });

  it("lands what a person approves in the browser, done by a runner of the operator's file", async () => {
    const { folder, repo, tasks } = await bench("- { id: only, files: [only.txt] }\n");
    const config = join(folder, "operator.yml");
    const ours = { command: WRITE, env: ["WORD"], fallback: ["other"] };
    const runners = {
      ours: { ...ours, prompt: "Do {{id}}: {{task}}" },
      other: { command: "false" },
    };
    await writeFile(config, JSON.stringify({ runners, sandbox: "none" }));
    const work = ["--repo", repo, "--tasks", tasks, "--runner", "ours", "--verify", "true"];
    const run = startTry([...work, "--approve", "manual", "--pacing", "off", "--json"], {
      WAVETRAIN_CONFIG: config,
    });
    const board = await addressIn(run.stderr);
    await approve(board, await firstPull(board));
    const end = await run;
    expect(end.exitCode).toBe(0);
    expect(end.stderr).toContain('github.pacing "off"');
  });

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
    expect((JSON.parse(end.stdout) as TryResult).tasks).toMatchObject([
      { id: "only", state: "running" },
    ]);
    expect((await execa("ps", ["-eo", "args"])).stdout).not.toContain(sleep);
    const [left = "", ...more] = await leftBehind();
    expect([more, await readdir(join(tmp, left))]).toEqual([[], ["github"]]);
  });

  it("ends when nobody reads on", async () => {
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

async function firstPull(board: string): Promise<string> {
  const headers = await openPages(board);
  return eventually(async () => {
    const page = await (await fetch(board, { headers })).text();
    return /href="(\/local\/[^"]+\/pull\/\d+)"/.exec(page)?.[1];
  });
}

async function approve(board: string, path: string): Promise<void> {
  const url = new URL(path, board);
  const headers = await openPages(board);
  const page = await (await fetch(url, { headers })).text();
  const value = (name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? "";
  const body = new URLSearchParams({
    token: value("token"),
    head: value("head"),
    verdict: "approve",
  });
  const answer = await fetch(url, { method: "POST", body, headers, redirect: "manual" });
  expect(answer.status).toBe(303);
}

async function eventually(look: () => Promise<string | undefined>): Promise<string> {
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== "") return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
