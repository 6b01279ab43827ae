import { mkdir, readFile, readdir, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGit, type GitWithLeftovers } from "../../src/adapters/git/create-git.ts";
import { createRescues } from "../../src/adapters/git/rescue/rescues.ts";
import { createAside } from "../../src/adapters/host/aside.ts";
import type { Oddity } from "../../src/adapters/host/oddity.ts";
import { createNotices } from "../../src/app/notices.ts";
import { recover } from "../../src/app/recover.ts";
import { entryId, instant, runId, type Sha } from "../../src/domain/ids.ts";
import type { Deps } from "../../src/ports/deps.ts";
import {
  createGitSandbox,
  REPO,
  writeFiles,
  type GitSandbox,
} from "../adapters/git/git-sandbox.ts";
import { aRun } from "../support/builders.ts";
import { some } from "../support/further.ts";
import { TestLog } from "../support/test-log.ts";
import { CAN_MAKE_UNDELETABLE, makeUndeletable } from "../support/undeletable.ts";

const RUN = "octo.shop.1.1";
const NOW = instant(1_700_000_000_000);
const ENTERED = aRun({ id: runId(RUN), state: "running", startedAt: NOW });

let sandbox: GitSandbox;
let said: Oddity[];
beforeEach(async () => {
  sandbox = await createGitSandbox();
  said = [];
});
afterEach(() => sandbox.remove());

/** The git of the next life of the app. */
function restartedGit(): GitWithLeftovers {
  const { dataDir } = sandbox;
  const aside = createAside({ dataDir, now: () => NOW, say: (oddity) => said.push(oddity) });
  return createGit({
    dataDir,
    aside,
    now: () => NOW,
    remoteUrl: () => `file://${sandbox.remote}`,
    token: () => Promise.resolve("unused"),
  });
}

/** What the app does first, with a store that knows the runs. */
async function restart({ runs = [ENTERED] } = {}): Promise<GitWithLeftovers> {
  const git = restartedGit();
  const log = new TestLog();
  await recover(
    {
      git,
      log,
      notices: createNotices(log),
      processes: {
        list: () => Promise.resolve([]),
        reap: () => Promise.resolve(),
        forget: () => Promise.resolve(),
      },
      host: {
        markerOf: (id: string) => id,
        listHomes: () => Promise.resolve([]),
        removeTmp: () => Promise.resolve(),
        removeHome: () => Promise.resolve(),
      },
      store: {
        events: () => Promise.resolve([{}]),
        readRepo: () => Promise.resolve({ tasks: [], runs }),
      },
    } as unknown as Deps,
    () => Promise.resolve([]),
  );
  return git;
}

const inData = (path: string): string => join(sandbox.dataDir, path);
const inSlot = (path: string): string => inData(`workspaces/octo/shop/${RUN}/${path}`);
const inMirror = (path: string): string => inData(`mirrors/octo/shop.git/${path}`);

async function halve(path: string): Promise<void> {
  await truncate(path, Math.floor((await readFile(path)).length / 2));
}

async function replaceByFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { recursive: true });
}

async function replaceByFile(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await writeFile(path, "not what you think\n");
}

/** A run begins, works and ends as if nothing had been. */
async function expectWorkGoesOn(git: GitWithLeftovers): Promise<void> {
  const base = await git.fetchBranch(REPO, "main");
  const workspace = await git.openWorkspace({ repo: REPO, id: "octo.shop.2.1", base });
  expect(await readFile(join(workspace.path, "src/a.ts"), "utf8")).toBe("a\n");
  await writeFiles(workspace.path, { "src/new.ts": "new\n" });
  expect((await git.diffWorkspace(workspace)).paths).toEqual(["src/new.ts"]);
  const message = "more";
  const commit = await git.commitWorkspace(workspace, {
    message,
    author: { name: "a", email: "a@b.c" },
  });
  const request = { repo: REPO, branch: "wavetrain/2", commit, expected: "any" } as const;
  expect(await git.pushBranch(request)).toEqual({ kind: "pushed" });
  await git.closeWorkspace(workspace);
  expect(await git.listWorkspaces()).toEqual([]);
  await git.leftovers.list();
}

async function rescuedFiles(): Promise<readonly string[]> {
  const rescues = createRescues(sandbox.dataDir, { PATH: process.env["PATH"] ?? "" });
  const [rescue] = await rescues.list();
  if (rescue === undefined) return [];
  const into = join(sandbox.root, "restored");
  await rescues.intoFolder(rescue, into);
  return readdir(into, { recursive: true });
}

async function workspaceWithWork(id = RUN): Promise<void> {
  const workspace = await sandbox.open(id);
  await writeFiles(workspace.path, { "src/work.ts": "work\n" });
}

interface Spoilt {
  readonly what: string;
  readonly make: () => Promise<unknown>;
}

/** The work is on a rescue ref; nothing is in the way. */
const SAVED: readonly Spoilt[] = [
  { what: "its index is missing", make: () => rm(inSlot("index")) },
  { what: "its index is empty", make: () => truncate(inSlot("index")) },
  { what: "its index is half", make: () => halve(inSlot("index")) },
  { what: "its index is a folder", make: () => replaceByFolder(inSlot("index")) },
  { what: "its base is empty", make: () => truncate(inSlot("base")) },
  { what: "its base is missing", make: () => rm(inSlot("base")) },
  { what: "its base is unknown", make: () => writeFile(inSlot("base"), "1".repeat(40)) },
  { what: "its stage is missing", make: () => rm(inSlot("stage")) },
  {
    what: "a lock of its rescue ref is left",
    make: async () => {
      const ref = inMirror("refs/wavetrain/rescue/octo%2Eshop%2E1%2E1.lock");
      await mkdir(join(ref, ".."), { recursive: true });
      await writeFile(ref, "");
    },
  },
  { what: "all locks are left", make: () => writeFile(inMirror("packed-refs.lock"), "") },
];

/** Nothing can be saved from it: kept as it is, out of the way. */
const KEPT: readonly Spoilt[] = [
  { what: "its tree is missing", make: () => rm(inSlot("tree"), { recursive: true }) },
  { what: "its tree is a file", make: () => replaceByFile(inSlot("tree")) },
  {
    what: "nobody knows its base",
    make: async () => {
      await rm(inSlot("base"));
      await rm(inSlot("repository.git"), { recursive: true });
    },
  },
];

/** There was nothing in it. */
const EMPTY: readonly Spoilt[] = [
  {
    what: "has only its base",
    make: async () => {
      await rm(inSlot(""), { recursive: true });
      await mkdir(inSlot(""));
      await writeFile(inSlot("base"), "1".repeat(40));
    },
  },
  {
    what: "is empty",
    make: async () => {
      await rm(inSlot(""), { recursive: true });
      await mkdir(inSlot(""));
    },
  },
];

describe("F4: a workspace that an earlier life left, when", () => {
  it.each(some(SAVED))("$what, is saved and cleared", async ({ make }) => {
    await workspaceWithWork();
    await make();
    const git = await restart();
    expect(await rescuedFiles()).toContain("src/work.ts");
    expect(said).toEqual([]);
    await expectWorkGoesOn(git);
  });

  it.each(some(KEPT))("$what, is moved aside as it is", async ({ make }) => {
    await workspaceWithWork();
    await make();
    const git = await restart();
    expect(said).toMatchObject([{ path: `workspaces/octo/shop/${RUN}` }]);
    expect(await readdir(inData(said[0]?.movedTo ?? ""))).toContain("index");
    await expectWorkGoesOn(git);
  });

  it.each(some(EMPTY))("it $what, is cleared without a word", async ({ make }) => {
    await workspaceWithWork();
    await make();
    const git = await restart({ runs: [] });
    expect(said).toEqual([]);
    await expectWorkGoesOn(git);
  });

  it("its name was used before a store was lost, does not replace what was saved then", async () => {
    await workspaceWithWork();
    const git = await restart();
    const base = await git.fetchBranch(REPO, "main");
    const again = await git.openWorkspace({ repo: REPO, id: RUN, base });
    await writeFiles(again.path, { "src/other.ts": "other\n" });
    await restart();
    const rescues = createRescues(sandbox.dataDir, { PATH: process.env["PATH"] ?? "" });
    const sizes = await Promise.all((await rescues.list()).map((one) => rescues.describe(one)));
    expect(sizes.join()).toContain("src/work.ts");
    expect(sizes.join()).toContain("src/other.ts");
  });
});

const FILES = [
  "workspaces/note",
  "workspaces/octo/note",
  "workspaces/octo/shop/note",
  "mirrors/note",
  "mirrors/octo/note",
  "spares/note",
  "spares/octo/note",
  "setups/octo/note",
];
const FOLDERS = [
  "workspaces/%zz",
  "workspaces/octo/%zz",
  "workspaces/octo/shop/%zz",
  "mirrors/%zz",
  "mirrors/octo/%zz.git",
  "spares/octo/%zz",
  "setups/%zz",
];

describe("F4: something that nobody knows", () => {
  it("goes aside, once, wherever it is, and the rest goes on", async () => {
    await workspaceWithWork();
    for (const path of FOLDERS) await mkdir(inData(path), { recursive: true });
    for (const path of FILES) {
      await mkdir(join(inData(path), ".."), { recursive: true });
      await writeFile(inData(path), "");
    }
    const git = await restart();
    expect(said.map(({ path }) => path).toSorted()).toEqual([...FILES, ...FOLDERS].toSorted());
    expect(await rescuedFiles()).toContain("src/work.ts");
    await expectWorkGoesOn(git);
    said = [];
    await restart();
    expect(said).toEqual([]);
  });

  it("lost+found is the file system's own, and stays", async () => {
    const places = ["workspaces", "workspaces/octo/shop", "mirrors", "spares/octo/shop"];
    for (const place of places) await mkdir(inData(`${place}/lost+found`), { recursive: true });
    await expectWorkGoesOn(await restart());
    for (const place of places) expect(await readdir(inData(place))).toContain("lost+found");
    expect(said).toEqual([]);
  });

  it.each([
    ["a stray name", (spare: string) => mkdir(join(spare, "../stray"))],
    ["no tree", (spare: string) => rm(join(spare, "tree"), { recursive: true })],
    ["a tree with a file too many", (spare: string) => writeFile(join(spare, "tree/x"), "x")],
    ["a tree with half a file", (spare: string) => writeFile(join(spare, "tree/src/a.ts"), "")],
    ["no index", (spare: string) => rm(join(spare, "index"))],
  ])("among the spares: %s", async (_what, make) => {
    await sandbox.git.closeWorkspace(await sandbox.open(RUN));
    const folder = inData("spares/octo/shop");
    await make(join(folder, (await readdir(folder))[0] ?? ""));
    await expectWorkGoesOn(await restart());
  });

  it.runIf(CAN_MAKE_UNDELETABLE)("among the spares: one that nobody may move", async () => {
    await sandbox.git.closeWorkspace(await sandbox.open(RUN));
    const folder = inData("spares/octo/shop");
    const [name = ""] = await readdir(folder);
    const undo = makeUndeletable(join(folder, name));
    try {
      const git = await restart();
      await expectWorkGoesOn(git);
      await expectWorkGoesOn(git);
      expect(said).toEqual([
        { path: `spares/octo/shop/${name}`, why: "it cannot be moved (EPERM)" },
      ]);
    } finally {
      undo();
    }
  });
});

const BROKEN_MIRRORS: readonly Spoilt[] = [
  { what: "empty", make: () => replaceByFolder(inMirror("")) },
  { what: "a file", make: () => replaceByFile(inData("mirrors/octo/shop.git")) },
  { what: "without HEAD", make: () => rm(inMirror("HEAD")) },
  { what: "with an empty HEAD", make: () => truncate(inMirror("HEAD")) },
  { what: "with half a config", make: () => halve(inMirror("config")) },
  { what: "with an empty ref", make: () => truncate(inMirror("refs/wavetrain/remote/main")) },
  {
    what: "with a ref to nothing",
    make: () => writeFile(inMirror("refs/wavetrain/remote/main"), `${"1".repeat(40)}\n`),
  },
  { what: "with an empty object", make: async () => truncate(await objectOf("main^{tree}")) },
  { what: "without an object", make: async () => rm(await objectOf("main^{tree}")) },
  { what: "with half an object", make: async () => halve(await objectOf("main:src/a.ts")) },
  {
    what: "with a folder for an object",
    make: async () => replaceByFolder(await objectOf("main:src/a.ts")),
  },
  { what: "with a file where objects go", make: () => replaceByFile(inMirror("objects/31")) },
  { what: "with a file for its packs", make: () => replaceByFile(inMirror("objects/pack")) },
];

async function objectOf(name: string): Promise<string> {
  const object = (await sandbox.shell(sandbox.remote, "rev-parse", name)).trim();
  return inMirror(`objects/${object.slice(0, 2)}/${object.slice(2)}`);
}

describe("F4: a mirror that is", () => {
  it.each(some(BROKEN_MIRRORS))("$what is made anew from the remote", async ({ what, make }) => {
    await workspaceWithWork();
    await restart();
    // A spare would do without the mirror.
    await rm(inData("spares"), { recursive: true });
    await make();
    await expectWorkGoesOn(await restart());
    expect(said.map(({ path }) => path)).toEqual(["mirrors/octo/shop.git"]);
    // Where the old mirror can still be read, what was saved in it is in the new one.
    if (!["empty", "a file"].includes(what)) expect(await rescuedFiles()).toContain("src/work.ts");
  });

  it("whole, with a commit that git would not write today, stays", async () => {
    const git = await restart();
    await git.fetchBranch(REPO, "main");
    const tree = (await sandbox.shell(sandbox.remote, "rev-parse", "main^{tree}")).trim();
    const odd = `tree ${tree}\nauthor A <a@b.c> 0 +0000\ncommitter A <a@b.c 0 +0000\n\nodd\n`;
    await writeFile(join(sandbox.root, "odd"), odd);
    const file = join(sandbox.root, "odd");
    const flags = ["-t", "commit", "-w", "--literally", file];
    const commit = (await sandbox.shell(inMirror(""), "hash-object", ...flags)).trim();
    await writeFile(inMirror("refs/wavetrain/remote/old"), `${commit}\n`);
    await expect(sandbox.shell(inMirror(""), "fsck", "--no-dangling")).rejects.toThrow();
    await expect(git.fetchBranch(REPO, "no-such-branch")).rejects.toThrow();
    expect(said).toEqual([]);
  });

  it("damaged after the start is made anew by whoever needs it, and not with every failure", async () => {
    const git = await restart();
    await git.fetchBranch(REPO, "main");
    await expect(git.fetchBranch(REPO, "no-such-branch")).rejects.toThrow();
    expect(said).toEqual([]);
    const tip: Sha = await git.fetchBranch(REPO, "main");
    await rm(await objectOf("main^{tree}"));
    await truncate(inMirror("HEAD"));
    await expectWorkGoesOn(git);
    expect(await git.fetchBranch(REPO, "main")).toBe(tip);
    expect(said).toHaveLength(1);
  });

  it.each<[string, (git: GitWithLeftovers, past: History) => Promise<unknown>, unknown]>([
    ["one commit is in another", (git, { one, three }) => git.isAncestor(REPO, one, three), true],
    ["the lost one is", (git, { two, three }) => git.isAncestor(REPO, two, three), true],
    [
      "two share a past",
      async (git, { one, three, work }) => (await git.mergeBase(REPO, three, work)) === one,
      true,
    ],
    ["a change fits", async (git, past) => (await candidateOf(git, past)).kind, "built"],
  ])("without a commit in the middle is made anew by whoever asks whether %s", async (...given) => {
    const [, ask, expected] = given;
    const git = await restart();
    const one = await git.fetchBranch(REPO, "main");
    const work = await sandbox.commit("work", { "src/w.ts": "w\n" });
    const two = await sandbox.commit("main", { "src/b.ts": "b\n" });
    const three = await sandbox.commit("main", { "src/c.ts": "c\n" });
    await git.fetchBranches(REPO, ["main", "work"]);
    await rm(await objectOf("main^"));
    const next = await restart();
    expect(await ask(next, { one, two, three, work })).toBe(expected);
    expect(said.map(({ path }) => path)).toEqual(["mirrors/octo/shop.git"]);
  });

  it("without a file of what is about to land is made anew by whoever wants to stage it", async () => {
    const git = await restart();
    const work = await sandbox.commit("work", { "src/w.ts": "w\n" });
    const three = await sandbox.commit("main", { "src/c.ts": "c\n" });
    await git.fetchBranches(REPO, ["main", "work"]);
    const built = await candidateOf(git, { three, work });
    if (built.kind !== "built") throw new Error("it fits");
    const stage = () =>
      git.stageCommit(REPO, "refs/wavetrain/candidates/1", built.candidate.commit);
    await rm(await objectOf("work:src/w.ts"));
    // The candidate is on no remote: it goes with the mirror, and is built anew.
    await expect(stage()).rejects.toMatchObject({ code: "git-failed" });
    expect(said.map(({ path }) => path)).toEqual(["mirrors/octo/shop.git"]);
    expect(await candidateOf(git, { three, work })).toEqual(built);
    expect(await stage()).toMatchObject({ kind: "pushed" });
  });
});

/** Of main, with the branch `work` from its first commit. */
interface History {
  readonly one: Sha;
  readonly two: Sha;
  readonly three: Sha;
  readonly work: Sha;
}

function candidateOf(git: GitWithLeftovers, { three, work }: Pick<History, "three" | "work">) {
  const parts = [{ entry: entryId("1"), head: work, message: "work" }];
  return git.buildCandidate({ repo: REPO, base: three, method: "squash", parts });
}
