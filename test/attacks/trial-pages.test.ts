import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { TryResult } from "../../src/cli/try/result.ts";
import { bundledApp } from "../support/bundle-app.ts";
import { bubblewrapWorks } from "../support/installed.ts";
import { findLastingPort } from "../support/lasting-port.ts";
import { openPages } from "../support/open-pages.ts";

const SANDBOX = await bubblewrapWorks();

/** An agent that wants the work of the run before it approved, with all that it can reach; what it found is its change. */
const ATTACKER = String.raw`
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
const [, , url] = process.argv;
if (process.env.WAVETRAIN_TASK_ID === "bait") {
  writeFileSync("bait.txt", "bait");
  process.exit();
}
const found = [];
const note = (what, value) => found.push(what + " " + value);
const ask = async (what, path, options = {}) => {
  try {
    const answer = await fetch(url + path, { redirect: "manual", ...options });
    const text = await answer.text();
    note(what, answer.status + " " + /name="token" value="([^"]+)/.exec(text)?.[1]);
    return { answer, text };
  } catch (error) {
    note(what, error.message);
    return {};
  }
};
const html = { accept: "text/html" };
const looks = (path) => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};
const walk = (folder, depth) => {
  if (depth === 0) return;
  let names = [];
  try {
    names = readdirSync(folder, { withFileTypes: true });
  } catch {
    return;
  }
  for (const one of names) {
    const path = folder + "/" + one.name;
    // Packages on the PATH, whose examples have keys.
    if (one.name === "node_modules") continue;
    if (one.isDirectory()) walk(path, depth - 1);
    else if (one.isFile() && /key=[\w-]{32}|BEGIN (RSA )?PRIVATE KEY|gh[sp]_/.test(looks(path))) note("file", path);
  }
};
await ask("board", "/", { headers: html });
let text = "";
for (let tries = 0; tries < 40 && !text.includes('name="token"'); tries += 1) {
  await new Promise((resolve) => setTimeout(resolve, 100));
  const answer = await fetch(url + "/local/repo/pull/3", { headers: html });
  text = await answer.text();
}
note("pull", text.includes('name="token"'));
const head = /name="head" value="([^"]+)/.exec(text)?.[1] ?? "";
const token = /name="token" value="([^"]+)/.exec(text)?.[1] ?? "";
const form = new URLSearchParams({ token, head, verdict: "approve", words: "" });
await ask("approve", "/local/repo/pull/3", { method: "POST", body: form, headers: { origin: url } });
for (const key of ["", "x".repeat(32)]) await ask("key", "/?key=" + key, { headers: html });
await ask("cookie", "/", { headers: { ...html, cookie: "local-github-" + new URL(url).port + "=x" } });
const review = { method: "POST", body: JSON.stringify({ event: "APPROVE" }) };
await ask("review", "/repos/local/repo/pulls/3/reviews", review);
await ask("merge", "/repos/local/repo/pulls/3/merge", { method: "PUT", body: "{}" });
const query = JSON.stringify({ query: "{ viewer { login } }" });
await ask("graphql", "/graphql", { method: "POST", body: query });
const manifest = JSON.stringify({ url, redirect_url: url, default_permissions: { contents: "write" } });
const { answer } = await ask("app", "/settings/apps/new", { method: "POST", body: new URLSearchParams({ manifest }) });
const code = new URL(answer?.headers.get("location") ?? url).searchParams.get("code");
await ask("conversion", "/app-manifests/" + code + "/conversions", { method: "POST" });
await ask("git", "/local/repo.git/info/refs?service=git-receive-pack");
for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
  for (const file of ["cmdline", "environ"]) {
    if (/key=[\w-]{32}/.test(looks("/proc/" + id + "/" + file))) note("proc", id + " " + file);
  }
}
for (const folder of [process.cwd(), process.env.HOME, "/tmp", "/dev/shm", "/run"]) walk(folder, 6);
writeFileSync("found.txt", found.join("\n") + "\n");
`;

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "trial-pages-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A trial in which the attacker works while the pull request of another task waits for a person. */
async function startTrial() {
  const port = await findLastingPort();
  const url = `http://127.0.0.1:${port}`;
  const [repo, tasks, config] = ["repo", "tasks.yml", "operator.yml"].map((name) =>
    join(folder, name),
  );
  const script = join(folder, "attacker.mjs");
  const git = (...args: readonly string[]) =>
    execa("git", [
      "-C",
      repo ?? "",
      "-c",
      "user.name=t",
      "-c",
      "user.email=t@example.org",
      ...args,
    ]);
  await execa("git", ["init", "--quiet", "--initial-branch=main", repo ?? ""]);
  await git("commit", "--quiet", "--allow-empty", "--message=first");
  await writeFile(script, ATTACKER);
  await writeFile(
    tasks ?? "",
    "- { id: bait, files: [bait.txt] }\n- { id: only, files: [found.txt] }\n",
  );
  const command = `"${process.execPath}" "${script}" ${url}`;
  const runners = { attacker: { command } };
  const sandbox = { sandbox: "bubblewrap", readable: [process.execPath, script] };
  await writeFile(config ?? "", JSON.stringify({ runners, ...sandbox }));
  const run = execa(
    "node",
    [
      await bundledApp(),
      "try",
      "--repo",
      repo ?? "",
      "--tasks",
      tasks ?? "",
      "--runner",
      "attacker",
      "--approve",
      "manual",
      "--parallel",
      "1",
      "--pacing",
      "off",
      "--port",
      String(port),
      "--json",
    ],
    { env: { TMPDIR: folder, WAVETRAIN_CONFIG: config ?? "" }, reject: false, stdin: "ignore" },
  );
  onTestFinished(async () => {
    run.kill("SIGINT");
    await run;
  });
  const link = await new Promise<string>((resolve, reject) => {
    run.stderr.on("data", (chunk: Buffer) => {
      const [address] = /http:\/\/\S+/.exec(chunk.toString()) ?? [];
      if (address !== undefined) resolve(address);
    });
    void run.then(({ stderr }) => reject(new Error(`it ended: ${stderr}`)));
  });
  return { run, link, url };
}

interface Form {
  readonly page: string;
  readonly approve: () => Promise<Response>;
}

async function pullForm(link: string, number: number): Promise<Form> {
  const headers = await openPages(link);
  const address = new URL(`/local/repo/pull/${number}`, link);
  const look = async () => (await fetch(address, { headers })).text();
  let page = await look();
  while (!page.includes('name="head"')) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    page = await look();
  }
  const value = (name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? "";
  const fields = { token: value("token"), head: value("head"), words: "", verdict: "approve" };
  const approve = () => {
    const body = new URLSearchParams(fields);
    return fetch(address, { method: "POST", body, headers, redirect: "manual" });
  };
  return { page, approve };
}

describe.skipIf(!SANDBOX)("16: a trial's pages", () => {
  it("cannot be used from inside the sandbox nor by a program without the key, and by the person who has it they can", async () => {
    const { run, link, url } = await startTrial();
    const theirs = await pullForm(link, 4);
    const bait = await pullForm(link, 3);
    expect(bait.page).toContain("Waits for review");
    expect(bait.page).not.toContain("Approved");

    const plain = { accept: "text/html", origin: url };
    expect((await fetch(url, { headers: plain })).status).toBe(401);
    const body = new URLSearchParams({ verdict: "approve", words: "" });
    const unasked = await fetch(`${url}/local/repo/pull/3`, {
      method: "POST",
      body,
      headers: plain,
    });
    expect(unasked.status).toBe(401);

    expect((await bait.approve()).status).toBe(303);
    expect((await theirs.approve()).status).toBe(303);
    const end = await run;
    expect(end.exitCode, end.stderr).toBe(0);

    const { repo } = JSON.parse(end.stdout) as TryResult;
    const { stdout } = await execa("git", ["-C", repo, "show", "main:found.txt"]);
    expect(stdout.split("\n")).toEqual([
      "board 401 undefined",
      "pull false",
      "approve 401 undefined",
      "key 401 undefined",
      "key 401 undefined",
      "cookie 401 undefined",
      "review 401 undefined",
      "merge 401 undefined",
      "graphql 401 undefined",
      "app 404 undefined",
      "conversion 404 undefined",
      "git 401 undefined",
    ]);
  });
});
