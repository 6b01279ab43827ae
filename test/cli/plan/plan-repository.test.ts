import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createTown } from "../../local-github/town.ts";
import type { Town } from "../../local-github/town.ts";

const MAIN = fileURLToPath(new URL("../../../src/cli/main.ts", import.meta.url));

async function planOf(town: Town, ...args: readonly string[]) {
  const { PATH } = process.env;
  const env = { PATH, WAVETRAIN_API_URL: town.github.url, MY_TOKEN: await town.token() };
  const script = ["--import", "tsx", MAIN, "plan", "--token-env", "MY_TOKEN", ...args];
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(process.execPath, script, { env }, (error, out, err) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, out, err });
    });
  });
}

const files = (...patterns: readonly string[]): string =>
  ["### Files", "", ...patterns.map((pattern) => `- ${pattern}`), ""].join("\n");

/** Four issues: two that meet, one that waits for a finished one, one that waits for nobody knows what. */
function openIssues({ github, app, board }: Town) {
  const alice = github.as("alice");
  const open = (title: string, body: string, labels = ["parallel-safe", "ready"]) =>
    alice.openIssue({ repo: app, title, body, labels });
  const session = open("Sessions", files("src/auth/**"));
  const login = open("Login", files("src/auth/login.ts"));
  const done = open("Schema", "", []);
  const search = open("Search", `${files("src/search/")}\nDepends on #${done.number}\n`);
  const tags = open("Tags", `${files("src/tags/")}\nDepends on #99\n`);
  alice.closeIssue(done);
  for (const issue of [session, login, search, tags]) github.addCard(board, issue, "Ready");
  github.addCard(board, open("Later", files("z"), ["parallel-safe"]), "Backlog");
}

const EXPECTED = {
  waves: [["acme/app#1", "acme/app#4"], ["acme/app#2"]],
  blocked: [
    {
      id: "acme/app#5",
      code: "dependency-unknown",
      reason: "depends on #99, which does not exist",
    },
  ],
  conflicts: [{ a: "acme/app#1", b: "acme/app#2", example: "src/auth/login.ts" }],
};

describe("wavetrain plan --repo", () => {
  it("plans the cards of the organization's project", async () => {
    const town = await createTown();
    openIssues(town);
    const { code, out, err } = await planOf(town, "--repo", "acme/app", "--project", "1", "--json");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(JSON.parse(out)).toMatchObject(EXPECTED);
  });

  it("plans labelled issues with their relations", async () => {
    const town = await createTown();
    openIssues(town);
    const alice = town.github.as("alice");
    const phase = alice.openIssue({ repo: town.app, title: "Phase", labels: ["parallel-safe"] });
    const step = alice.openIssue({
      repo: town.app,
      title: "Step",
      body: files("src/step/"),
      labels: ["ready"],
    });
    alice.adopt(phase, step);
    alice.block(step, alice.openIssue({ repo: town.app, title: "Draft" }));
    const { out } = await planOf(town, "--repo", "acme/app", "--label", "ready", "--json");
    expect(JSON.parse(out)).toMatchObject({
      ...EXPECTED,
      blocked: [
        ...EXPECTED.blocked,
        {
          id: `acme/app#${step.number}`,
          code: "dependency-not-planned",
          reason: `depends on #${step.number + 1}, which is open but not ready`,
        },
      ],
    });
  });

  it("shows short names to people", async () => {
    const town = await createTown();
    openIssues(town);
    const { out } = await planOf(town, "--repo", "acme/app", "--project", "1");
    expect(out).toContain("#1: both may write src/auth/login.ts");
  });

  it("ends with 1 when the board cannot be read, and with 2 without a token", async () => {
    const town = await createTown();
    const missing = await planOf(town, "--repo", "acme/app", "--project", "7");
    expect(missing.code).toBe(1);
    expect(missing.err).toContain("project 7 of acme cannot be read");
    const anonymous = await planOf(town, "--repo", "acme/app", "--token-env", "NO_SUCH");
    expect(anonymous.code).toBe(2);
    expect(anonymous.err).toContain("NO_SUCH is not set");
  });
});
