import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, it, onTestFinished } from "vitest";
import { createCheckRun } from "../../../local-github/actions/checks.ts";
import type { PullRequest } from "../../../local-github/model/pull-request.ts";
import type { Repository } from "../../../local-github/model/repository.ts";
import { STYLE } from "../../../local-github/pages/style.ts";
import { startLocalGitHub } from "../../../local-github/start-local-github.ts";
import type { LocalGitHub } from "../../../local-github/start-local-github.ts";
import { openPages } from "../../support/open-pages.ts";

const KEYS = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});
const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
const HOSTILE = `<script>alert(1)</script> "quoted" 'it' & \`tick\` ünï ☃ \u202Erle`;

interface Site {
  readonly github: LocalGitHub;
  readonly repository: Repository;
  readonly pull: PullRequest;
  readonly page: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Response>;
  readonly text: (path: string) => Promise<string>;
  /** What the form of the pull request carries unseen. */
  readonly hidden: () => Promise<Fields>;
  readonly send: (fields: Fields, headers?: Record<string, string>) => Promise<Response>;
  /** Sends the form of another page. */
  readonly sendTo: (path: string, fields: Fields) => Promise<Response>;
}

type Fields = Readonly<Record<string, string>>;

async function openSite(
  options: { pages?: { as: string } } = { pages: { as: "rita" } },
): Promise<Site> {
  const dataDir = await mkdtemp(join(tmpdir(), "pages-"));
  const app = { id: 1, slug: "app", name: "App", publicKey: KEYS.publicKey, webhookSecret: "s" };
  const github = await startLocalGitHub({ dataDir, app, ...options });
  onTestFinished(async () => {
    await github.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  github.addOrganization("acme");
  for (const login of ["alice", "rita"]) github.addUser(login);
  const repository = await github.addRepository({
    owner: "acme",
    name: "app",
    from: { "a.txt": "one\n<b>two</b>\n", "gone.txt": "x\n" },
    roles: { alice: "admin", rita: "write" },
    isPrivate: false,
  });
  const alice = github.as("alice");
  const board = github.addProject({ org: "acme", title: "Work", columns: ["Ready", "Done"] });
  const issue = alice.openIssue({
    repo: repository,
    title: HOSTILE,
    body: HOSTILE,
    labels: ["<i>"],
  });
  github.addCard(board, issue, "Ready");
  alice.comment(issue, `<!-- hidden -->**bold** and \`code\`, see #2\n\n- ${HOSTILE}`);
  const files = { "a.txt": "one\n<script>three\r\n\u202Edne\n", "gone.txt": null };
  await alice.push(repository, "topic", { files, message: "change" });
  const pull = await alice.openPullRequest(repository, {
    title: HOSTILE,
    head: "topic",
    body: "Closes #1",
  });
  const { cookie } = await openPages(github.pagesUrl);
  const page = async (path: string, headers: Readonly<Record<string, string>> = BROWSER) =>
    fetch(`${github.url}${path}`, { headers: { cookie, ...headers }, redirect: "manual" });
  const text = async (path: string) => (await page(path)).text();
  const hidden = async (): Promise<Fields> => {
    const form = await text("/acme/app/pull/2");
    const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1];
    return { token: value("token") ?? "", head: value("head") ?? "" };
  };
  const send: Site["send"] = async (fields, headers = {}) => {
    const body = new URLSearchParams({ ...(await hidden()), words: "", ...fields });
    const url = `${github.url}/acme/app/pull/2`;
    const all = { cookie, ...headers };
    return fetch(url, { method: "POST", body, headers: all, redirect: "manual" });
  };
  const sendTo: Site["sendTo"] = async (path, fields) => {
    const body = new URLSearchParams({ token: (await hidden())["token"] ?? "", ...fields });
    const url = `${github.url}${path}`;
    return fetch(url, { method: "POST", body, headers: { cookie }, redirect: "manual" });
  };
  return { github, repository, pull, page, text, hidden, send, sendTo };
}

describe("pages", () => {
  it("show the board, its cards and open pull requests", async () => {
    const { text } = await openSite();
    const board = await text("/");
    expect(board).toContain('href="/acme/app/issues/1"');
    expect(board).toContain('href="/acme/app/pull/2"');
    expect(board).toMatch(/Ready<\/bdi>\s*<span class="number">1</);
    expect(board).toContain("Waits for review");
    expect(board).toContain('<span class="chip"><bdi>&lt;i&gt;</bdi></span>');
  });

  it.each(["/", "/acme/app/issues/1", "/acme/app/pull/2"])(
    "show words on %s as they are, and nothing in them does anything",
    async (path) => {
      const { page } = await openSite();
      const answer = await page(path);
      const text = await answer.text();
      expect(answer.status).toBe(200);
      expect(text.match(/<script/g)).toHaveLength(1);
      expect(text).not.toContain("\u202E");
      expect(text).toContain("ünï ☃ ⟨U+202E⟩rle");
      expect(text).toContain(
        "&lt;script&gt;alert(1)&lt;/script&gt; &quot;quoted&quot; &#39;it&#39; &amp;",
      );
      expect(answer.headers.get("content-security-policy")).not.toContain("unsafe");
      expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    },
  );

  it("render the Markdown of reports and hide what is for programs", async () => {
    const { text } = await openSite();
    const issue = await text("/acme/app/issues/1");
    expect(issue).not.toContain("hidden -->");
    expect(issue).toContain("<strong>bold</strong> and <code>code</code>");
    expect(issue).toContain('see <a href="/acme/app/issues/2">#2</a>');
    expect(issue).toContain("Pull request #2");
  });

  it("show the checks of a merged pull request, also where its head moved when it landed", async () => {
    const { github, repository, pull, text } = await openSite();
    const actor = github.as("alice").user;
    const run = { name: "verify", headSha: pull.headSha, conclusion: "success", actor } as const;
    createCheckRun(github.world, repository, run);
    expect(await text("/")).toContain("Passing");
    await github.as("alice").push(repository, "topic", { files: { b: "b\n" }, message: "more" });
    expect(await text("/")).not.toContain("Passing");
    expect(await text("/acme/app/pull/2")).toContain("None on this commit yet.");
    await github.as("alice").merge(pull);
    expect(await text("/")).toContain("Passing");
    const page = await text("/acme/app/pull/2");
    expect(page).toContain("<strong>verify</strong>");
    expect(page).toContain("the head before it landed");
  });

  it("fit a phone: a table's rows are laid out as lines that wrap", () => {
    const phone = STYLE.slice(STYLE.indexOf("@media (max-width: 40rem)"));
    expect(phone).toContain("table, tbody, td { display: block; }");
    expect(phone).toMatch(/tr \{ display: flex; flex-wrap: wrap;/);
    expect(phone).toMatch(/td\.title \{ min-width: 0;/);
  });

  it("show what the pull request changes against its base", async () => {
    const { text } = await openSite();
    const page = await text("/acme/app/pull/2");
    expect(page).toContain('<span class="minus">-&lt;b&gt;two&lt;/b&gt;</span>');
    expect(page).toContain('<span class="plus">+&lt;script&gt;three</span>');
    expect(page).toContain('<span class="plus">+⟨U+202E⟩dne</span>');
    expect(page).toMatch(/<bdi>gone\.txt<\/bdi><\/b>\s*removed/);
  });

  it("lead from one kind of address to the other, and say when there is nothing", async () => {
    const { page } = await openSite();
    expect((await page("/acme/app/issues/2")).headers.get("location")).toBe("/acme/app/pull/2");
    const missing = await page("/acme/app/pull/99");
    expect([missing.status, missing.headers.get("content-type")]).toEqual([
      404,
      "text/html; charset=utf-8",
    ]);
  });

  it("approve with the button, as the configured person", async () => {
    const { send, pull } = await openSite();
    const answer = await send({ verdict: "approve", words: "good" });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/acme/app/pull/2"]);
    expect(pull.reviews.map(({ state, author, body }) => [state, author.login, body])).toEqual([
      ["APPROVED", "rita", "good"],
    ]);
  });

  it("request changes with words, and keep the page when there are none", async () => {
    const { send, pull } = await openSite();
    const refused = await send({ verdict: "request-changes", words: " " });
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining('role="alert">Say what should be different.'),
    ]);
    await send({ verdict: "request-changes", words: "smaller\r\nplease" });
    expect(pull.reviews.map(({ state, body }) => [state, body])).toEqual([
      ["CHANGES_REQUESTED", "smaller\nplease"],
    ]);
  });

  it.each([
    ["without the token", { token: "" }, {}],
    ["with another token", { token: "x".repeat(32) }, {}],
    ["from another site", {}, { origin: "http://evil.example" }],
    ["from nowhere", {}, { origin: "null" }],
  ])("refuse a form sent %s", async (_, fields, headers) => {
    const { send, pull } = await openSite();
    expect((await send({ verdict: "approve", ...fields }, headers)).status).toBe(403);
    expect(pull.reviews).toEqual([]);
  });

  it("take the form from their own address", async () => {
    const { send, github } = await openSite();
    expect((await send({ verdict: "approve" }, { origin: github.url })).status).toBe(303);
  });

  it("refuse a review of what is no longer the head", async () => {
    const { send, hidden, github, repository, pull } = await openSite();
    const seen = await hidden();
    const files = { "b.txt": "late\n" };
    await github.as("alice").push(repository, "topic", { files, message: "late" });
    const answer = await send({ ...seen, verdict: "approve", words: "fine" });
    expect([answer.status, pull.reviews]).toEqual([409, []]);
    expect(await answer.text()).toContain(">fine</textarea>");
  });

  it("refuse a review of what is closed", async () => {
    const { send, hidden, github, pull } = await openSite();
    const seen = await hidden();
    github.as("alice").closePullRequest(pull);
    expect((await send({ ...seen, verdict: "approve" })).status).toBe(409);
    expect(pull.reviews).toEqual([]);
  });

  it("take a comment on an issue and move its card, as the configured person", async () => {
    const { sendTo, text } = await openSite();
    const comment = { act: "comment", words: "/retry\r\nplease" };
    const answer = await sendTo("/acme/app/issues/1", comment);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/acme/app/issues/1"]);
    await sendTo("/acme/app/issues/1", { act: "move", column: "Done" });
    const page = await text("/acme/app/issues/1");
    expect(page).toContain("in <strong>Done</strong>");
    expect(page).toContain("<strong>rita</strong>");
    expect(page).toMatch(/\/retry\s+please/);
  });

  it.each<[string, Fields, string]>([
    ["/acme/app/issues/1", { act: "comment", words: " " }, "Say something."],
    ["/acme/app/issues/1", { act: "move", column: "Nowhere" }, "there is no column Nowhere"],
    ["/acme/app/issues/1", { act: "", words: "kept" }, "Comment, or move the card."],
    ["/", { act: "open", title: " ", words: "kept" }, "A card needs a title."],
  ])("say on %s why they refuse %o", async (path, fields, why) => {
    const { sendTo } = await openSite();
    const refused = await sendTo(path, fields);
    const page = await refused.text();
    expect([refused.status, page]).toEqual([422, expect.stringContaining(`role="alert">${why}`)]);
    if (fields["words"] === "kept") expect(page).toContain(">kept</textarea>");
  });

  it("make a new card in a column, with its labels", async () => {
    const { sendTo, text } = await openSite();
    const card = { title: "More", words: "Do more.", labels: "a, b,", column: "Ready" };
    const answer = await sendTo("/", card);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/acme/app/issues/3"]);
    const page = await text("/acme/app/issues/3");
    expect(page).toContain("in <strong>Ready</strong>");
    expect(page).toContain('<span class="chip"><bdi>b</bdi></span>');
  });

  it.each(["/", "/acme/app/issues/1"])("take nothing on %s without the token", async (path) => {
    const { sendTo, text } = await openSite();
    const fields = { token: "x", act: "comment", words: "forged", title: "forged" };
    expect((await sendTo(path, fields)).status).toBe(403);
    expect(await text("/")).not.toContain("forged");
    expect(await text("/acme/app/issues/1")).not.toContain("forged");
  });

  it("refuse a foreign name that leads to this machine", async () => {
    const { github } = await openSite();
    const status = await new Promise((resolve, reject) => {
      const headers = { ...BROWSER, host: "evil.example" };
      httpRequest(github.url, { headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on("error", reject)
        .end();
    });
    expect(status).toBe(403);
  });
});

describe("16: pages without their key", () => {
  it.each(["", "?key=", "?key=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"])(
    "show nothing and take no review at an address with %j",
    async (search) => {
      const { github, pull } = await openSite();
      for (const path of ["/", "/acme/app/issues/1", "/acme/app/pull/2"]) {
        const answer = await fetch(`${github.url}${path}${search}`, { headers: BROWSER });
        const text = await answer.text();
        expect([answer.status, answer.headers.get("set-cookie")]).toEqual([401, null]);
        expect(text).toContain("Open the whole address that the command printed");
        expect(text).not.toMatch(/acme|name="token"/);
      }
      const body = new URLSearchParams({ verdict: "approve", head: pull.headSha });
      const url = `${github.url}/acme/app/pull/2${search}`;
      expect((await fetch(url, { method: "POST", body })).status).toBe(401);
      for (const path of ["/", "/acme/app/issues/1"]) {
        const other = await fetch(`${github.url}${path}${search}`, { method: "POST", body });
        expect(other.status).toBe(401);
      }
      expect(pull.reviews).toEqual([]);
    },
  );

  it("open with it: it leaves the address, and no script and no other site has what stays", async () => {
    const { github } = await openSite();
    const answer = await fetch(github.pagesUrl, { headers: BROWSER, redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/"]);
    expect(answer.headers.get("set-cookie")).toMatch(
      /^local-github-\d+=[\w-]{32}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(answer.headers.get("set-cookie")).not.toContain(github.pagesUrl.split("key=")[1]);
  });

  it("do not open with what another one gave", async () => {
    const [one, other] = [await openSite(), await openSite()];
    const { cookie } = await openPages(one.github.pagesUrl);
    const renamed = cookie.replace(/\d+(?==)/, new URL(other.github.url).port);
    for (const given of [cookie, renamed]) {
      const headers = { ...BROWSER, cookie: given };
      expect((await fetch(other.github.url, { headers })).status).toBe(401);
    }
  });

  it("let nobody put another App in the place of the one at work", async () => {
    const { github } = await openSite();
    const { publicKey } = github.world.app;
    const manifest = JSON.stringify({ url: github.url, redirect_url: github.url });
    const body = new URLSearchParams({ manifest });
    for (const place of ["", "/organizations/acme"]) {
      const url = `${github.url}${place}/settings/apps/new`;
      const answer = await fetch(url, { method: "POST", body, redirect: "manual" });
      expect([answer.status, answer.headers.get("location")]).toEqual([404, null]);
    }
    expect([github.world.manifests.size, github.world.app.publicKey]).toEqual([0, publicKey]);
  });
});

describe("the API beside the pages", () => {
  it.each(["*/*", "application/vnd.github+json", "application/json, text/html"])(
    "answers JSON at addresses of pages when asked for %s",
    async (accept) => {
      const { page, github } = await openSite();
      for (const path of ["/", "/acme/app/issues/1", "/acme/app/pull/2"]) {
        const answer = await page(path, { accept });
        expect(answer.headers.get("content-type")).toContain("application/json");
      }
      expect(github.calls().rest).toBe(3);
    },
  );

  it("keeps its own addresses even when a browser asks", async () => {
    const { page, github } = await openSite();
    const answer = await page("/repos/acme/app/issues/1");
    expect(answer.headers.get("content-type")).toContain("application/json");
    expect(github.calls().rest).toBe(1);
    await page("/");
    expect(github.calls().rest).toBe(1);
  });

  it("leaves git alone", async () => {
    const { github } = await openSite();
    const heads = await execa("git", ["ls-remote", `${github.url}/acme/app.git`, "refs/heads/*"]);
    expect(heads.stdout).toContain("refs/heads/topic");
  });

  it("is all there is without the switch", async () => {
    const { page, send, pull } = await openSite({});
    expect((await page("/")).headers.get("content-type")).toContain("application/json");
    expect((await send({ verdict: "approve" })).status).toBe(404);
    expect(pull.reviews).toEqual([]);
  });
});
