import { mkdir, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGit, type GitWithLeftovers } from "../../../../src/adapters/git/create-git.ts";
import { createAside } from "../../../../src/adapters/host/aside.ts";
import { instant, sha, type Sha } from "../../../../src/domain/ids.ts";
import { commitFiles, link, program, submodule } from "../commit-files.ts";
import type { TreeEntries, TreeEntry } from "../commit-files.ts";
import { createGitSandbox, REPO, type GitSandbox } from "../git-sandbox.ts";

type Files = Readonly<Record<string, TreeEntry>>;

let sandbox: GitSandbox;
beforeEach(async () => {
  sandbox = await createGitSandbox();
});
afterEach(() => sandbox.remove());

/** Puts a commit with exactly these files on a branch of the remote and into the mirror. */
async function make(branch: string, files: Files | TreeEntries): Promise<Sha> {
  const entries = Symbol.iterator in files ? files : Object.entries(files);
  await commitFiles(sandbox.remote, branch, entries);
  return sandbox.git.fetchBranch(REPO, branch);
}

const inBench = (path: string): boolean => path.startsWith("bench/");

function take(commit: Sha, from: Sha, matches = inBench): Promise<Sha> {
  return sandbox.git.withFilesOf(REPO, { commit, from, matches });
}

const inMirror = (...args: readonly string[]): Promise<string> =>
  sandbox.shell(join(sandbox.dataDir, "mirrors/octo/shop.git"), ...args);

async function trash(): Promise<readonly string[]> {
  return readdir(join(sandbox.dataDir, "trash")).catch(() => []);
}

/** A judge with a program, data and a link of its own. */
const JUDGE: Files = {
  "bench/run.sh": program("#!/bin/sh\necho 1\n"),
  "bench/data/in.txt": "1 2 3\n",
  "bench/data/deep/more.txt": "4\n",
  "bench/latest": link("data/in.txt"),
};
const BASE: Files = { ...JUDGE, "src/a.ts": "a\n", "readme.md": "shop\n" };
const WORK: Files = { "src/a.ts": "better\n", "src/b.ts": "new\n" };

describe("withFilesOf", () => {
  it("has the files that match as they are there, and all others as they were", async () => {
    const from = await make("base", BASE);
    const commit = await make("work", {
      ...WORK,
      "bench/run.sh": "#!/bin/sh\necho 99\n",
      "bench/latest": "1 2 3\n",
      "bench/data/in.txt": program("1 2 3\n"),
      "bench/data/own.txt": "mine\n",
      bench2: "not the judge's",
    });
    const judged = await take(commit, from);
    const same = await make("expected", { ...JUDGE, ...WORK, bench2: "not the judge's" });
    expect(await sandbox.git.treeOf(REPO, judged)).toBe(await sandbox.git.treeOf(REPO, same));
  });

  it("is the commit itself where nothing differs that matches", async () => {
    const from = await make("base", BASE);
    const commit = await make("work", { ...JUDGE, ...WORK });
    expect(await take(commit, from)).toBe(commit);
    expect(await take(commit, from, () => false)).toBe(commit);
    expect(await take(from, from, () => true)).toBe(from);
    expect(await trash()).toEqual([]);
  });

  it("is the other one's tree where everything matches", async () => {
    const from = await make("base", BASE);
    const commit = await make("work", { ...WORK, "bench/run.sh": link("/bin/true") });
    const judged = await take(commit, from, () => true);
    expect(await sandbox.git.treeOf(REPO, judged)).toBe(await sandbox.git.treeOf(REPO, from));
  });

  it("may be without a file", async () => {
    const from = await make("base", { "readme.md": "shop\n" });
    const judged = await take(await make("work", { "bench/a": "a" }), from);
    expect(await sandbox.entries(judged)).toEqual([]);
  });

  it("is a commit of the app's on top, of the same moment, and the same on any host", async () => {
    const from = await make("base", BASE);
    const commit = await make("work", WORK);
    const judged = await take(commit, from);
    expect(await sandbox.git.parentsOf(REPO, judged)).toEqual([commit]);
    const format = "--format=%an %ae %at %cn %ce %ct %s";
    expect((await inMirror("show", "-s", format, judged)).trim()).toBe(
      "wavetrain wavetrain@wavetrain.invalid 1600000000 wavetrain wavetrain@wavetrain.invalid 1600000000 " +
        "take the files that judge from the base",
    );
    const other = restarted("elsewhere", 1_800_000_000_000);
    await other.fetchBranches(REPO, ["base", "work"]);
    expect(await other.withFilesOf(REPO, { commit, from, matches: inBench })).toBe(judged);
  });

  it("asks about whole paths, whatever is in their names", async () => {
    const names = [
      "a b",
      " a",
      "a ",
      "-a",
      ":(glob)*",
      "a\tb",
      "a\nb",
      "\r",
      "\x01\x07\b\v\f\x1f\x7f",
      '"a"',
      '"',
      "a\\n",
      "\\101",
      "'$(id)'",
      "größe",
      "gro\u0308ße",
      "😀",
      "\uFFFD",
      "#!",
      "con.",
      "a\u202Eb",
    ];
    const all = (text: string): Files =>
      Object.fromEntries(names.map((name) => [`bench/${name}/${name}`, text]));
    const from = await make("base", all("old"));
    const commit = await make("work", { ...all("new"), ...WORK });
    const asked: string[] = [];
    const judged = await take(commit, from, (path) => {
      asked.push(path);
      return inBench(path);
    });
    for (const name of names) expect(asked).toContain(`bench/${name}/${name}`);
    expect(await sandbox.git.treeOf(REPO, judged)).toBe(
      await sandbox.git.treeOf(REPO, await make("expected", { ...all("old"), ...WORK })),
    );
  });

  it("reaches names that are no UTF-8", async () => {
    const odd = (...bytes: readonly number[]): Buffer =>
      Buffer.concat([Buffer.from("bench/"), Buffer.from(bytes)]);
    const from = await make("base", [[odd(0xff), "judge"], ...Object.entries(BASE)]);
    const work = [[odd(0xff), "mine"] as const, [odd(0xfe), "mine"] as const];
    const judged = await take(await make("work", [...work, ...Object.entries(BASE)]), from);
    expect(await sandbox.git.treeOf(REPO, judged)).toBe(await sandbox.git.treeOf(REPO, from));
  });

  it("heeds no attributes", async () => {
    const attributes = "* text eol=crlf ident filter=lfs working-tree-encoding=UTF-16\n";
    const from = await make("base", { ...BASE, "bench/a.txt": "$Id$\r\n\n" });
    const commit = await make("work", { ".gitattributes": attributes, "bench/a.txt": "x" });
    const judged = await take(commit, from);
    expect(await sandbox.show(judged, "bench/a.txt")).toBe("$Id$\r\n\n");
    expect(await sandbox.show(judged, ".gitattributes")).toBe(attributes);
  });

  it("is checked out as it was in the other one where attributes match, too", async () => {
    const from = await make("base", BASE);
    const commit = await make("work", {
      ".gitattributes": "* eol=crlf\n",
      "bench/.gitattributes": "* eol=crlf\n",
    });
    const judged = await take(commit, from, (path) => /^bench\/|\.gitattributes$/.test(path));
    const { path } = await sandbox.open("judged", judged);
    expect(await readFile(join(path, "bench/run.sh"), "utf8")).toBe("#!/bin/sh\necho 1\n");
  });

  it("takes 5,000 files", async () => {
    const all = (text: string): Files =>
      Object.fromEntries(
        Array.from({ length: 5000 }, (_, n) => [`bench/${n % 50}/${n}`, `${text} ${n}`]),
      );
    const from = await make("base", all("old"));
    const commit = await make("work", { ...all("new"), ...WORK });
    const judged = await take(commit, from);
    const same = await make("expected", { ...all("old"), ...WORK });
    expect(await sandbox.git.treeOf(REPO, judged)).toBe(await sandbox.git.treeOf(REPO, same));
  });
});

describe("a change that wants to be its own judge", () => {
  const MINE: Files = { ...WORK, "evil/run.sh": program("echo 99\n"), "evil/data/in.txt": "0\n" };

  it.each<[string, Files]>([
    ["deletes the judge", {}],
    ["deletes one of its files", { "bench/run.sh": JUDGE["bench/run.sh"] ?? "" }],
    ["puts a link in its place", { bench: link("evil") }],
    ["puts a link to another machine's folder in its place", { bench: link("/tmp/evil") }],
    ["puts a file in its place", { bench: "nothing to see\n" }],
    ["puts a submodule in its place", { bench: submodule("1") }],
    [
      "puts a submodule in its place that git is asked not to see",
      {
        bench: submodule("1"),
        ".gitmodules": '[submodule "bench"]\n\tpath = bench\n\turl = ./evil\n\tignore = all\n',
      },
    ],
    ["puts a link in the place of a folder in it", { "bench/data": link("../evil/data") }],
    ["puts a file in the place of a folder in it", { "bench/data": "0\n" }],
    [
      "puts a link in the place of its program",
      { ...JUDGE, "bench/run.sh": link("../evil/run.sh") },
    ],
    ["leads its link elsewhere", { ...JUDGE, "bench/latest": link("../evil/data/in.txt") }],
    ["makes its link a folder", { "bench/latest/in.txt": "0\n" }],
    ["puts a folder in the place of its program", { "bench/run.sh/run.sh": "" }],
    ["lets nobody run its program", { ...JUDGE, "bench/run.sh": "#!/bin/sh\necho 1\n" }],
    ["lets everybody run its data", { ...JUDGE, "bench/data/in.txt": program("1 2 3\n") }],
    ["adds files to it", { ...JUDGE, "bench/sitecustomize.py": "", "bench/z": link("../evil") }],
    ["adds a submodule to it", { ...JUDGE, "bench/lib": submodule("2") }],
  ])("does not get it where it %s", async (_what, files) => {
    const from = await make("base", BASE);
    const judged = await take(await make("work", { ...MINE, ...files }), from);
    const { ".gitmodules": modules } = files;
    const rest = { ...MINE, ...(modules === undefined ? {} : { ".gitmodules": modules }) };
    const same = await make("expected", { ...JUDGE, ...rest });
    expect(await sandbox.git.treeOf(REPO, judged)).toBe(await sandbox.git.treeOf(REPO, same));
  });

  it("does not get it by a link far above", async () => {
    const from = await make("base", { "a/b/c/bench/run.sh": "judge", "a/b/own.ts": "own" });
    const commit = await make("work", { a: link("evil"), "evil/b/c/bench/run.sh": "mine" });
    const judged = await take(commit, from, (path) => path === "a/b/c/bench/run.sh");
    expect(await sandbox.entries(judged)).toEqual([
      "100644 a/b/c/bench/run.sh",
      "100644 evil/b/c/bench/run.sh",
    ]);
    expect(await sandbox.show(judged, "a/b/c/bench/run.sh")).toBe("judge");
  });

  it("does not get it by a folder full of files that do not match", async () => {
    const from = await make("base", { ...BASE, "score.sh": program("judge") });
    const commit = await make("work", { ...BASE, "score.sh/a": "a", "score.sh/b/c": "c" });
    expect(await take(commit, from, (path) => path === "score.sh")).not.toBe(commit);
    const judged = await take(commit, from, (path) => path === "score.sh");
    expect(await sandbox.git.treeOf(REPO, judged)).toBe(await sandbox.git.treeOf(REPO, from));
  });

  it("has the judge's submodule as it was", async () => {
    const modules = '[submodule "bench/lib"]\n\tpath = bench/lib\n\turl = ./x\n\tignore = all\n';
    const from = await make("base", { ...BASE, "bench/lib": submodule("1") });
    const commit = await make("work", {
      ...BASE,
      "bench/lib": submodule("2"),
      ".gitmodules": modules,
    });
    const judged = await take(commit, from);
    expect(await inMirror("ls-tree", judged, "bench/lib")).toContain("1".repeat(40));
  });
});

describe("the temporary index of withFilesOf", () => {
  it("goes when the work is done, also when several are at it", async () => {
    const from = await make("base", BASE);
    const works = await Promise.all(
      [1, 2, 3, 4].map(async (n) => {
        await commitFiles(sandbox.remote, `work${n}`, Object.entries({ ...WORK, n: `${n}` }));
        return sandbox.git.fetchBranch(REPO, `work${n}`);
      }),
    );
    const twice = [...works, ...works];
    const judged = await Promise.all(twice.map((commit) => take(commit, from)));
    expect(new Set(judged).size).toBe(4);
    expect(judged.slice(0, 4)).toEqual(judged.slice(4));
    expect(await trash()).toEqual([]);
  });

  it("goes when the work fails", async () => {
    const from = await make("base", BASE);
    const commit = await make("work", WORK);
    await lose(`${from}:bench/data/in.txt`);
    await expect(take(commit, from)).rejects.toMatchObject({ code: "git-failed" });
    expect(await trash()).toEqual([]);
  });

  it("harms nobody where a process was killed over it, and is cleared away", async () => {
    const from = await make("base", BASE);
    const commit = await make("work", WORK);
    const judged = await take(commit, from);
    const left = join(sandbox.dataDir, "trash", "judge-killed");
    await mkdir(left, { recursive: true });
    for (const name of ["index", "index.lock"]) await writeFile(join(left, name), "half");
    await utimes(left, 0, 0);
    const git = restarted("data");
    await git.tendMirrors();
    expect(await git.withFilesOf(REPO, { commit, from, matches: inBench })).toBe(judged);
    const found = (await git.leftovers.list()).filter(({ kind }) => kind === "trash");
    expect(found).toEqual([{ kind: "trash", name: "judge-killed", at: 0 }]);
    for (const one of found) await git.leftovers.remove(one);
    expect(await trash()).toEqual([]);
  });
});

describe("withFilesOf, when the mirror", () => {
  it.each(["commit", "from"])("lacks %s, fails", async (missing) => {
    const both = { commit: await make("work", WORK), from: await make("base", BASE) };
    const request = { ...both, [missing]: sha("1".repeat(40)), matches: inBench };
    await expect(sandbox.git.withFilesOf(REPO, request)).rejects.toMatchObject({
      code: "git-failed",
    });
  });

  it.each([
    ["the judge's files", "base:bench/run.sh"],
    ["the judge's folder", "base:bench"],
    ["the change", "work^{tree}"],
  ])("has lost %s, has it made anew", async (_what, name) => {
    const from = await make("base", BASE);
    const commit = await make("work", WORK);
    const judged = await take(commit, from);
    await lose((await sandbox.shell(sandbox.remote, "rev-parse", name)).trim());
    const git = restarted("data");
    expect(await git.withFilesOf(REPO, { commit, from, matches: inBench })).toBe(judged);
    expect(await trash()).toEqual([]);
  });
});

async function lose(name: string): Promise<void> {
  const object = (await inMirror("rev-parse", name)).trim();
  const mirror = join(sandbox.dataDir, "mirrors/octo/shop.git");
  await rm(join(mirror, "objects", object.slice(0, 2), object.slice(2)));
}

function restarted(folder: string, now = 1_700_000_000_000): GitWithLeftovers {
  const dataDir = join(sandbox.root, folder);
  return createGit({
    dataDir,
    aside: createAside({ dataDir, now: () => instant(now), say: () => undefined }),
    remoteUrl: () => `file://${sandbox.remote}`,
    token: () => Promise.resolve(""),
    now: () => instant(now),
  });
}
