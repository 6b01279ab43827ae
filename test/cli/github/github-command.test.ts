import { access, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bundledApp } from "../../support/bundle-app.ts";
import { findLastingPort } from "../../support/lasting-port.ts";
import { openPages } from "../../support/open-pages.ts";

const POLL_MS = 50;
const LIMIT_MS = 200_000;

let folder: string;
let program: string;
const children: { kill(signal?: NodeJS.Signals): unknown }[] = [];

beforeEach(async () => {
  program = await bundledApp();
  folder = await mkdtemp(join(tmpdir(), "wavetrain-github-"));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

function wavetrain(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = execa("node", [program, ...args], { cwd: folder, env, reject: false });
  children.push(child);
  return child;
}

async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  const until = Date.now() + LIMIT_MS;
  while (Date.now() < until) {
    const found = await look().catch(() => undefined);
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error("it did not come about");
}

interface Told {
  readonly url: string;
  readonly pages: string;
  readonly dataDir: string;
  readonly repositories: readonly string[];
  readonly as: string;
  readonly token: string;
}

async function startGitHub(...args: readonly string[]): Promise<Told> {
  const out = join(folder, "github.json");
  const child = execa("node", [program, "github", "--port", "0", "--json", ...args], {
    cwd: folder,
    stdout: { file: out },
    stderr: "inherit",
    reject: false,
  });
  children.push(child);
  return eventually(async () => JSON.parse(await readFile(out, "utf8")) as Told);
}

/** Presses the button of the first pull request that the board shows. */
async function approveFirst({ url, pages }: Told): Promise<void> {
  const headers = await openPages(pages);
  const page = async (path: string): Promise<string> =>
    (await fetch(`${url}${path}`, { headers })).text();
  const path = await eventually(async () => /\/acme\/shop\/pull\/\d+/.exec(await page("/"))?.[0]);
  const shown = await page(path);
  const value = (name: string): string =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(shown)?.[1] ?? "";
  const body = new URLSearchParams({
    token: value("token"),
    head: value("head"),
    verdict: "approve",
  });
  const answer = await fetch(`${url}${path}`, {
    method: "POST",
    headers,
    body,
    redirect: "manual",
  });
  expect(answer.status).toBe(303);
}

const WORLD = `
repositories:
  - name: shop
    files:
      README.md: "# shop"
      .github/wavetrain.yml: "board: { project: 1 }\\nverify: test -f README.md\\n"
issues:
  - title: Say hello
    body: |
      Files: hello.txt
    labels: [parallel-safe]
    column: Ready
`;

describe("wavetrain github", () => {
  it("is a GitHub on which wavetrain start does the whole job", async () => {
    const port = await findLastingPort();
    await writeFile(join(folder, "world.yml"), WORLD);
    const hooks = `http://127.0.0.1:${port}/api/github/webhooks`;
    const told = await startGitHub("--world", "world.yml", "--webhooks", hooks);
    expect(told.repositories).toEqual(["acme/shop"]);
    await writeFile(
      join(folder, "wavetrain.config.yml"),
      "runners: { hello: { command: echo hello > hello.txt } }\nsandbox: none\nminFreeMemory: 0\n",
    );
    const app = wavetrain(["start"], {
      WAVETRAIN_API_URL: told.url,
      WAVETRAIN_GIT_URL: told.url,
      WAVETRAIN_DATA_DIR: told.dataDir,
      PORT: String(port),
    });
    await approveFirst(told);
    const bare = join(folder, ".wavetrain-local", "repositories", "acme", "shop.git");
    const landed = await eventually(async () => {
      const { stdout } = await execa("git", ["-C", bare, "show", "main:hello.txt"]);
      return stdout;
    });
    expect(landed).toBe("hello");
    app.kill("SIGTERM");
    expect((await app).exitCode).toBe(0);
  });

  it("begins with a copy of a repository, and leaves that alone", async () => {
    const repo = join(folder, "my-shop");
    await execa("git", ["init", "-q", "-b", "trunk", repo]);
    await writeFile(join(repo, "a.txt"), "a\n");
    const git = ["-C", repo, "-c", "user.name=a", "-c", "user.email=a@b.c"];
    await execa("git", [...git, "add", "."]);
    await execa("git", [...git, "commit", "-qm", "first"]);
    const told = await startGitHub("--repo", repo);
    expect(told.repositories).toEqual(["acme/my-shop"]);
    const headers = { authorization: `Bearer ${told.token}` };
    const asked = await fetch(`${told.url}/user`, { headers });
    expect(await asked.json()).toMatchObject({ login: told.as });
    const copy = join(folder, ".wavetrain-local", "repositories", "acme", "my-shop.git");
    const { stdout } = await execa("git", ["-C", copy, "ls-tree", "--name-only", "trunk"]);
    expect(stdout).toBe("a.txt");
  });

  it.each([
    [["--port", "99999"], "--port 99999: not a port from 0 to 65535"],
    [["--as", "nobody"], "--as nobody: there is no such person here"],
    [["--webhooks", "here"], "--webhooks here: not an address"],
    [["--repo", "nowhere"], "nowhere: there is no such folder"],
    [["--world", "nowhere.yml"], "nowhere.yml: cannot be read"],
    [["--world", "bad.yml"], 'bad.yml: issue "A" names no column of the board: Nowhere'],
    [["--world", "worse.yml"], "worse.yml:1:1: repositorys: unknown key"],
    [["--world", "nowhere-to-copy.yml"], "nowhere: there is no such folder"],
    [["--world", "twice.yml"], "twice.yml: there are two people you"],
    [["--data", "theirs"], "--data theirs: exists and is not of this command; name another folder"],
  ])("refuses %j with a sentence", async (args, sentence) => {
    await writeFile(join(folder, "bad.yml"), "issues: [{ title: A, column: Nowhere }]\n");
    await writeFile(join(folder, "worse.yml"), "repositorys: []\n");
    const copies = "repositories: [{ name: x, from: ./nowhere }]\n";
    await writeFile(join(folder, "nowhere-to-copy.yml"), copies);
    await writeFile(join(folder, "twice.yml"), "people: { you: admin, YOU: write }\n");
    await mkdir(join(folder, "theirs"));
    const { exitCode, stderr } = await wavetrain(["github", "--port", "0", ...args]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  });

  it("leaves one that is at work alone, whoever starts where it is", async () => {
    const { url } = await startGitHub();
    const repositories = join(folder, ".wavetrain-local", "repositories", "acme", "shop.git");
    const same = await wavetrain(["github", "--port", "0"]);
    expect([same.exitCode, same.stderr]).toEqual([2, expect.stringContaining("is at work there")]);
    const port = new URL(url).port;
    const taken = await wavetrain(["github", "--port", port, "--data", "another"]);
    expect([taken.exitCode, taken.stderr]).toEqual([
      1,
      `error: port ${port} is taken; choose another with --port, or 0`,
    ]);
    await expect(access(join(folder, "another"))).rejects.toThrow();
    await access(repositories);
  });
});
