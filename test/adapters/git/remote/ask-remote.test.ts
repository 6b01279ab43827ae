import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGitCounter, type GitCounter } from "../../../../bench/git-counter.ts";
import { FLUSH, packet, readPackets } from "../../../../src/adapters/git/remote/ask-remote.ts";
import { sha, type Sha } from "../../../../src/domain/ids.ts";
import { AUTHOR, createGitSandbox, REPO, writeFiles, type GitSandbox } from "../git-sandbox.ts";
import { serveRemote, type HttpRemote } from "../http-remote.ts";

/** Whose remote it is. */
let person: GitSandbox;
let remote: HttpRemote;
/** The adapter that reaches the remote by HTTP. */
let app: GitSandbox;
let counter: GitCounter;

beforeEach(async () => {
  person = await createGitSandbox();
  await person.shell(person.remote, "config", "http.receivepack", "true");
  remote = await serveRemote(person.root, () => Promise.resolve(true));
  counter = await createGitCounter(person.root);
  app = await createApp({});
});
afterEach(async () => {
  await app.remove();
  await remote.close();
  await person.remove();
});

async function createApp(env: Readonly<Record<string, string>>): Promise<GitSandbox> {
  const remoteUrl = (): string => `${remote.url}/remote.git`;
  const created = await createGitSandbox({ remoteUrl, env: { PATH: counter.path, ...env } });
  const remove = async (): Promise<void> => {
    await created.git.close();
    await created.remove();
  };
  return { ...created, remove };
}

async function push(branch: string): Promise<Sha> {
  const workspace = await app.open(branch);
  await writeFiles(workspace.path, { [branch]: branch });
  const commit = await app.git.commitWorkspace(workspace, { message: branch, author: AUTHOR });
  await app.git.pushBranch({ repo: REPO, branch, commit, expected: undefined });
  return commit;
}

async function processes(work: () => Promise<unknown>): Promise<number> {
  await counter.take();
  await work();
  return (await counter.take()).processes;
}

describe("a remote that is reached by HTTP", () => {
  it("is asked for its refs without a git process", async () => {
    const tip = await app.git.fetchBranch(REPO, "main");
    await app.git.treeOf(REPO, tip);
    const started = await processes(async () => {
      expect(await app.git.fetchBranch(REPO, "main")).toBe(tip);
      expect(await app.git.remoteBranch(REPO, "main")).toBe(tip);
      expect(await app.git.remoteBranch(REPO, "mai")).toBeUndefined();
    });
    expect(started).toBe(0);
  });

  it("gives what somebody else pushed, also when the branch was put back", async () => {
    const first = await app.git.fetchBranch(REPO, "main");
    const second = await person.commit("main", { "b.txt": "b\n" });
    expect(await app.git.fetchBranch(REPO, "main")).toBe(second);
    expect(await app.git.parentsOf(REPO, second)).toEqual([first]);
    await person.shell(person.remote, "update-ref", "refs/heads/main", first);
    expect(await app.git.fetchBranch(REPO, "main")).toBe(first);
  });

  it("does not have to give back what came from here, which then has a ref", async () => {
    const [one, two] = [await push("one"), await push("two")];
    await person.shell(person.remote, "update-ref", "refs/heads/main", two);
    await app.git.fetchBranches(REPO, ["one"]);
    const started = await processes(async () => {
      const tips = await app.git.fetchBranches(REPO, ["main", "one", "two"]);
      expect([...tips.values()]).toEqual([two, one, two]);
    });
    expect(started).toBe(0);
    const mirror = `${app.dataDir}/mirrors/octo/shop.git`;
    const ref = await person.shell(mirror, "rev-parse", "refs/wavetrain/remote/main");
    expect(sha(ref.trim())).toBe(two);
  });

  it("deletes a branch without a git process; one that is gone is fine", async () => {
    await push("one");
    const started = await processes(async () => {
      await app.git.deleteBranch(REPO, "one");
      await app.git.deleteBranch(REPO, "one");
    });
    expect(started).toBe(0);
    expect(await person.shell(person.remote, "branch", "--list", "one")).toBe("");
  });

  it("fails to delete what the remote keeps", async () => {
    await push("one");
    await person.shell(person.remote, "config", "receive.denyDeletes", "true");
    await expect(app.git.deleteBranch(REPO, "one")).rejects.toMatchObject({ code: "git-failed" });
  });

  it.each(["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "all_proxy"])(
    "is left to git where %s names a proxy",
    async (name) => {
      const env = { [name]: "http://127.0.0.1:9", NO_PROXY: "127.0.0.1" };
      const proxied = await createApp(env);
      await proxied.git.fetchBranch(REPO, "main");
      const started = await processes(() => proxied.git.remoteBranch(REPO, "main"));
      expect(started).toBeGreaterThan(0);
      await proxied.remove();
    },
  );
});

describe("an answer that is none", () => {
  it.each([
    { status: 200, body: "" },
    { status: 200, body: "<html>welcome</html>" },
    { status: 500, body: "0000" },
    { status: 301, body: "0000" },
  ])("is never taken for a branch that is gone: $status $body", async ({ status, body }) => {
    // Git, which is asked next, begins with GET.
    const server = createServer(({ method }, response) => {
      response.writeHead(method === "POST" ? status : 404, { location: "/elsewhere" }).end(body);
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as AddressInfo;
    const odd = await createGitSandbox({ remoteUrl: () => `http://127.0.0.1:${port}/x.git` });
    await odd.git.fetchBranch(REPO, "main").catch(() => undefined);
    await expect(odd.git.remoteBranch(REPO, "main")).rejects.toMatchObject({ code: "git-failed" });
    await odd.remove();
    await new Promise((done) => server.close(done));
  });
});

const readText = (text: string): readonly string[] | undefined => readPackets(Buffer.from(text));

describe("readPackets", () => {
  it("gives back what packet wrote, counted in bytes", () => {
    expect(packet("a\n")).toBe("0006a\n");
    expect(readText(`${packet("ä b\n")}${packet("c")}${FLUSH}`)).toEqual(["ä b", "c"]);
  });

  it("knows an empty message", () => {
    expect(readText(FLUSH)).toEqual([]);
  });

  it.each(["", "0006a\n", "000", "0006a", "<html>", "0003", `0009a\n${FLUSH}`])(
    "takes %j for no message: what is missing might say the opposite",
    (text) => {
      expect(readText(text)).toBeUndefined();
    },
  );
});
