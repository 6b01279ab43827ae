import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AUTHOR, createGitSandbox, REPO, writeFiles, type GitSandbox } from "./git-sandbox.ts";
import { serveRemote, type HttpRemote } from "./http-remote.ts";

const run = promisify(execFile);
const TOKEN = "ghs_tokenThatMustNotLeak42";
const BASIC = Buffer.from(`x-access-token:${TOKEN}`).toString("base64");

let sandbox: GitSandbox;
let remote: HttpRemote;
let token: string;
let argv: string;
beforeEach(async () => {
  token = TOKEN;
  argv = "";
  sandbox = await createGitSandbox({
    remoteUrl: () => `${remote.url}/remote.git`,
    token: () => Promise.resolve(token),
  });
  await sandbox.shell(sandbox.remote, "config", "http.receivepack", "true");
  remote = await serveRemote(sandbox.root, async (authorization) => {
    // Git waits for the answer meanwhile: its arguments are there to be seen.
    argv += (await run("ps", ["axww", "-o", "args="])).stdout;
    return authorization === `Basic ${BASIC}`;
  });
});
afterEach(async () => {
  await remote.close();
  await sandbox.remove();
});

async function filesWith(secret: string): Promise<string> {
  // Without a match grep ends with 1, which is what we hope for.
  return (await run("sh", ["-c", `grep -rlF "${secret}" "$0" || true`, sandbox.dataDir])).stdout;
}

describe("the token", () => {
  it("opens the remote, and is neither on disk nor in arguments", async () => {
    const workspace = await sandbox.open("run-1");
    await writeFiles(workspace.path, { "src/b.ts": "b\n" });
    const commit = await sandbox.git.commitWorkspace(workspace, { message: "m", author: AUTHOR });
    const push = { repo: REPO, branch: "b", commit, expected: undefined };
    expect(await sandbox.git.pushBranch(push)).toEqual({ kind: "pushed" });
    expect(await sandbox.git.remoteBranch(REPO, "b")).toBe(commit);
    await sandbox.git.deleteBranch(REPO, "b");

    expect(argv).toContain("/remote.git");
    for (const secret of [TOKEN, BASIC]) {
      expect(argv).not.toContain(secret);
      expect(await filesWith(secret)).toBe("");
    }
  });

  it("is not in the error when the remote repeats it", async () => {
    token = "ghs_expired";
    const failure: unknown = await sandbox.git
      .fetchBranch(REPO, "main")
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "git-failed", retryable: true });
    const told = JSON.stringify(failure, Object.getOwnPropertyNames(failure)) + causeOf(failure);
    expect(told).toContain("you sent Basic ***");
    expect(told).not.toContain(Buffer.from("x-access-token:ghs_expired").toString("base64"));
  });

  it("is not asked for where there is nothing to open", async () => {
    let asked = 0;
    const local = await createGitSandbox({
      token: () => {
        asked += 1;
        return Promise.resolve(TOKEN);
      },
    });
    const head = (await local.shell(local.remote, "rev-parse", "main")).trim();
    expect(await local.git.fetchBranch(REPO, "main")).toBe(head);
    expect(asked).toBe(0);
    await local.remove();
  });
});

function causeOf(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error ? error.cause.message : "";
}
