import { execFile } from "node:child_process";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Issue } from "../../local-github/model/issue.ts";
import { createTown } from "../local-github/town.ts";
import type { Town } from "../local-github/town.ts";
import { bundledApp } from "../support/bundle-app.ts";
import { findLastingPort } from "../support/lasting-port.ts";
import { runPlan } from "./plan/run-plan.ts";
import type { Ending } from "./plan/run-plan.ts";

async function planOf(town: Town, ...args: readonly string[]): Promise<Ending> {
  vi.stubEnv("MY_TOKEN", await town.token());
  const where = ["--repo", "acme/app", "--api-url", town.github.url, "--token-env", "MY_TOKEN"];
  return runPlan([...where, ...args]);
}

async function jsonOf(town: Town, ...args: readonly string[]): Promise<unknown> {
  const { code, out, err } = await planOf(town, "--json", ...args);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return JSON.parse(out);
}

const files = (...patterns: readonly string[]): string =>
  ["### Files", "", ...patterns.map((pattern) => `- ${pattern}`), ""].join("\n");

function open({ github, app: repo }: Town, title: string, more: Partial<Issued> = {}): Issue {
  const { body = "", labels = ["parallel-safe", "ready"] } = more;
  return github.as("alice").openIssue({ repo, title, body, labels });
}

interface Issued {
  readonly body: string;
  readonly labels: readonly string[];
}

/** Four issues: two that meet, one that waits for a finished one, one that waits for nobody knows what. */
function openIssues(town: Town): void {
  const session = open(town, "Sessions", { body: files("src/auth/**") });
  const login = open(town, "Login", { body: files("src/auth/login.ts") });
  const done = open(town, "Schema", { labels: [] });
  const search = open(town, "Search", {
    body: `${files("src/search/")}\nDepends on #${done.number}\n`,
  });
  const tags = open(town, "Tags", { body: `${files("src/tags/")}\nDepends on #99\n` });
  town.github.as("alice").closeIssue(done);
  for (const issue of [session, login, search, tags])
    town.github.addCard(town.board, issue, "Ready");
  const later = open(town, "Later", {
    body: files("src/search/later.ts"),
    labels: ["parallel-safe"],
  });
  town.github.addCard(town.board, later, "Backlog");
}

const LOST = {
  id: "#5",
  code: "dependency-unknown",
  reason: "depends on #99, which does not exist",
};
const EXPECTED = {
  waves: [["#1", "#4"], ["#2"]],
  blocked: [LOST],
  conflicts: [{ a: "#1", b: "#2", example: "src/auth/login.ts" }],
};

describe("wavetrain plan --repo", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("ends the process with its code", async () => {
    const town = await createTown();
    open(town, "One", { body: files("a.ts") });
    const env = { PATH: process.env.PATH, TOKEN: await town.token() };
    const program = await bundledApp();
    const run = (...args: readonly string[]): Promise<unknown> =>
      new Promise((resolve) => {
        const script = [program, "plan", "--api-url", town.github.url, ...args];
        execFile(process.execPath, [...script, "--token-env", "TOKEN"], { env }, (error) =>
          resolve(error?.code ?? 0),
        );
      });
    expect(await Promise.all([run("--repo", "acme/app"), run("--repo", "acme/no")])).toEqual([
      0, 2,
    ]);
  });

  it("says that nothing answers at an address", async () => {
    vi.stubEnv("GITHUB_TOKEN", "secret-1");
    const url = `http://127.0.0.1:${await findLastingPort()}`;
    const { code, err } = await runPlan(["--repo", "mona/shop", "--api-url", url]);
    expect({ code, err }).toEqual({
      code: 2,
      err: `error: cannot read mona/shop: ${url} did not answer (ECONNREFUSED)\n`,
    });
  });

  it("plans the cards in Ready of the organization's project and writes nothing", async () => {
    const town = await createTown();
    openIssues(town);
    const writes = town.github.calls().writes;
    expect(await jsonOf(town, "--project", "1")).toMatchObject(EXPECTED);
    // One write is the minted token's.
    expect(town.github.calls().writes - writes).toBeLessThanOrEqual(1);
  });

  it("plans every open issue of the project with --all", async () => {
    const town = await createTown();
    openIssues(town);
    expect(await jsonOf(town, "--project", "1", "--all")).toMatchObject({
      waves: [
        ["#1", "#4"],
        ["#2", "#6"],
      ],
      blocked: [LOST],
    });
  });

  it("takes the issues labelled ready, with their relations, where no project is named", async () => {
    const town = await createTown();
    openIssues(town);
    const alice = town.github.as("alice");
    const phase = open(town, "Phase", { labels: ["parallel-safe"] });
    const step = open(town, "Step", { body: files("src/step/"), labels: ["ready"] });
    alice.adopt(phase, step);
    alice.block(step, open(town, "Draft", { labels: [] }));
    const reason = `depends on #${step.number + 1}, which is open but not ready`;
    expect(await jsonOf(town)).toMatchObject({
      ...EXPECTED,
      blocked: [
        ...EXPECTED.blocked,
        { id: `#${step.number}`, code: "dependency-not-planned", reason },
      ],
    });
  });

  it("takes every open issue with --all where no project is named", async () => {
    const town = await createTown();
    openIssues(town);
    open(town, "Unlabelled", { body: files("src/z.ts"), labels: ["parallel-safe"] });
    const { waves } = (await jsonOf(town, "--all")) as { waves: string[][] };
    expect(waves.flat().sort()).toEqual(["#1", "#2", "#4", "#6", "#7"]);
  });

  it("reads the project, columns and limits from the repository's file", async () => {
    const town = await createTown();
    openIssues(town);
    await configure(town, [
      "board: { project: 1, columns: { ready: Backlog, queued: Ready } }",
      "limits: { parallel: 1 }",
    ]);
    // Queued cards hold their files, also those that could not be planned: the ready one waits for #4.
    expect(await jsonOf(town)).toMatchObject({ waves: [["#1", "#2", "#4", "#5"], ["#6"]] });
    const { out } = await planOf(town);
    expect(out).toContain("with 1 slot,");
  });

  it("shows names as people write them", async () => {
    const town = await createTown();
    openIssues(town);
    const { out } = await planOf(town, "--project", "1");
    expect(out).toContain("#1: both may write src/auth/login.ts");
    const drawn = await planOf(town, "--project", "1", "--mermaid");
    expect(drawn.out).toContain("Sessions");
  });

  it("names a dependency of another repository in full, and counts one that was closed as landed", async () => {
    const town = await createTown();
    const other = await town.github.addRepository({
      owner: "acme",
      name: "lib",
      from: { "a.ts": "" },
      roles: { alice: "admin" },
    });
    town.github.addToInstallation(town.installation, [other]);
    const alice = town.github.as("alice");
    const dropped = alice.openIssue({ repo: other, title: "Dropped" });
    const merged = alice.openIssue({ repo: other, title: "Done" });
    alice.closeIssue(dropped, "not_planned");
    alice.closeIssue(merged);
    open(town, "A", { body: `${files("a.ts")}\nDepends on acme/lib#${dropped.number}\n` });
    open(town, "B", { body: `${files("b.ts")}\nDepends on acme/lib#${merged.number}\n` });
    expect(await jsonOf(town)).toMatchObject({
      waves: [["#2"]],
      blocked: [
        {
          id: "#1",
          code: "dependency-not-planned",
          reason: "depends on acme/lib#1, which was closed as not planned",
        },
      ],
    });
  });

  it("says in one line, with exit code 2, that a project cannot be read", async () => {
    const town = await createTown();
    const missing = await planOf(town, "--project", "7");
    expect(missing).toEqual({
      code: 2,
      out: "",
      err: "error: project 7 of acme cannot be read: it does not exist or the token lacks read access to the organization's projects\n",
    });
    town.github.faults.nullBoard = true;
    expect(await planOf(town, "--project", "1")).toMatchObject({ code: 2, out: "" });
  });

  it("names the line of a repository's unusable file", async () => {
    const town = await createTown();
    await configure(town, ["limits:", "  parallel: none"]);
    const { code, err } = await planOf(town);
    expect(code).toBe(2);
    expect(err).toMatch(/^acme\/app: \.github\/wavetrain\.yml:2:\d+: limits\.parallel: .+\n$/);
  });
});

async function configure({ github, app }: Town, lines: readonly string[]): Promise<void> {
  const files = { ".github/wavetrain.yml": `${lines.join("\n")}\n` };
  await github.as("alice").push(app, "main", { files, message: "Configure" });
}
