import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGit } from "../../../../src/adapters/git/create-git.ts";
import { PASSED_OVER } from "../../../../src/adapters/host/aside.ts";
import { instant, type Sha } from "../../../../src/domain/ids.ts";
import type { Git, Workspace } from "../../../../src/ports/git.ts";
import type { Aside } from "../../../../src/ports/host.ts";
import { CAN_MAKE_UNDELETABLE, makeUndeletable } from "../../../support/undeletable.ts";
import { createGitSandbox, REPO, writeFiles, type GitSandbox } from "../git-sandbox.ts";

const NOW = instant(1_700_000_000_000);

let sandbox: GitSandbox;
let base: Sha;
beforeEach(async () => {
  sandbox = await createGitSandbox();
  base = await sandbox.git.fetchBranch(REPO, "main");
});
afterEach(() => sandbox.remove());

function open(id: string, at: Sha = base, git: Git = sandbox.git): Promise<Workspace> {
  return git.openWorkspace({ repo: REPO, id, place: "12", base: at });
}

/** Another process on the same data folder, which waits for no one. */
function otherProcess(aside: Aside = PASSED_OVER): Git {
  return createGit({
    dataDir: sandbox.dataDir,
    remoteUrl: () => `file://${sandbox.remote}`,
    token: () => Promise.resolve("unused"),
    now: () => NOW,
    maxWaitMs: 0,
    aside,
  });
}

const inTree = ({ path }: Workspace, file: string): Promise<string> =>
  readFile(join(path, file), "utf8");

describe("the folder of a task's runs", () => {
  it("is the same for one after the other", async () => {
    const first = await open("run.1");
    await sandbox.git.closeWorkspace(first);
    const second = await open("run.2");
    expect(second.path).toBe(first.path);
    expect(second).toMatchObject({ id: "run.2", place: "12" });
  });

  it("is not given to a run while the one before still has it", async () => {
    const first = await open("run.1");
    await writeFiles(first.path, { "src/new.ts": "first\n" });
    let isOpen = false;
    const opening = open("run.2").finally(() => {
      isOpen = true;
    });
    const saved = await sandbox.git.rescueWorkspace(first);
    expect(isOpen).toBe(false);
    await sandbox.git.closeWorkspace(first);
    const second = await opening;
    expect(await sandbox.show(saved ?? base, "src/new.ts")).toBe("first\n");
    expect((await sandbox.git.diffWorkspace(second)).paths).toEqual([]);
  });

  it("is refused when another process left it and nobody has cleared it, and its work stays as it is", async () => {
    const first = await open("run.1");
    await writeFiles(first.path, { "src/new.ts": "first\n" });
    const other = otherProcess();
    await expect(open("run.2", base, other)).rejects.toMatchObject({ code: "git-failed" });
    expect(await other.listWorkspaces()).toMatchObject([{ id: "run.1", place: "12" }]);
    expect(await open("run.1", base, other)).toMatchObject({ path: first.path });
    expect(await inTree(first, "src/new.ts")).toBe("first\n");
    await other.close();
  });

  it("is left alone by a run that had it before", async () => {
    const first = await open("run.1");
    await sandbox.git.closeWorkspace(first);
    const second = await open("run.2");
    await writeFiles(second.path, { "src/new.ts": "second\n" });
    await sandbox.git.closeWorkspace(first);
    expect(await sandbox.git.rescueWorkspace(first)).toBeUndefined();
    expect(await inTree(second, "src/new.ts")).toBe("second\n");
  });

  it("is put aside when nobody knows whose work is in it", async () => {
    const first = await open("run.1");
    await writeFiles(first.path, { "src/new.ts": "first\n" });
    await rm(join(first.path, "../owner"));
    const aside = join(sandbox.root, "aside");
    const other = otherProcess({
      put: (path) => rename(path, aside).then(() => aside),
      remove: (path) => rm(path, { recursive: true }),
    });
    const second = await open("run.2", base, other);
    expect((await other.diffWorkspace(second)).paths).toEqual([]);
    expect(await readFile(join(aside, "tree/src/new.ts"), "utf8")).toBe("first\n");
    await other.close();
  });

  it("has another beside it while what is in it can be neither taken over nor moved", async () => {
    const first = await open("run.1");
    await rm(join(first.path, "../owner"));
    const other = otherProcess();
    const second = await open("run.2", base, other);
    expect(second).toMatchObject({ id: "run.2", place: "12~2" });
    await writeFiles(second.path, { "src/new.ts": "second\n" });
    // Whoever comes after a restart finds its own work, though the first folder may be free by then.
    await rm(join(first.path, ".."), { recursive: true });
    const third = otherProcess();
    expect(await open("run.2", base, third)).toMatchObject({ path: second.path });
    await other.close();
    await third.close();
  });
});

describe("the folders of a task that nobody can take away", () => {
  it.runIf(CAN_MAKE_UNDELETABLE)("are gone round by the one that had begun in them", async () => {
    const { path } = await open("run.1");
    await rm(join(path, "../stage"));
    const undo = makeUndeletable(dirname(path));
    const other = otherProcess();
    expect(await open("run.1", base, other)).toMatchObject({ place: "12~2" });
    await other.close();
    undo();
  });

  it("are named when there are five of them", async () => {
    const { path } = await open("run.1");
    const first = dirname(path);
    for (const folder of [first, ...[2, 3, 4, 5].map((n) => `${first}~${n}`)]) {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder);
      for (const note of ["base", "stage"]) await writeFile(join(folder, note), "spoilt");
    }
    const other = otherProcess();
    await expect(open("run.2", base, other)).rejects.toThrow(
      `cannot open workspace run.2: ${first} and 4 folders beside it can be neither deleted nor moved`,
    );
    await other.close();
  });
});

describe("layWork", () => {
  const FROM = [{ id: "run.1", since: NOW }];

  /** What a first run changed, saved and gone. */
  async function firstRun(files: Readonly<Record<string, string | null>>): Promise<void> {
    const first = await open("run.1");
    await writeFiles(first.path, files);
    await sandbox.git.rescueWorkspace(first);
    await sandbox.git.closeWorkspace(first);
  }

  it("puts what an earlier run changed into the files, not committed", async () => {
    await firstRun({ "src/a.ts": "better\n", "src/new.ts": "new\n", "readme.md": null });
    const second = await open("run.2");
    expect(await sandbox.git.layWork(second, FROM)).toBe("laid");
    expect(await inTree(second, "src/a.ts")).toBe("better\n");
    const paths = ["readme.md", "src/a.ts", "src/new.ts"];
    expect((await sandbox.git.diffWorkspace(second)).paths).toEqual(paths);
    expect(await sandbox.shell(second.path, "status", "--porcelain")).toBe(
      " D readme.md\n M src/a.ts\n?? src/new.ts\n",
    );
    expect((await sandbox.shell(second.path, "rev-parse", "HEAD")).trim()).toBe(base);
  });

  it("puts it on top of the base as it is then", async () => {
    await firstRun({ "src/new.ts": "new\n" });
    const moved = await sandbox.commit("main", { "src/a.ts": "of others\n" });
    await sandbox.git.fetchBranch(REPO, "main");
    const second = await open("run.2", moved);
    expect(await sandbox.git.layWork(second, FROM)).toBe("laid");
    expect(await inTree(second, "src/a.ts")).toBe("of others\n");
    expect((await sandbox.git.diffWorkspace(second)).paths).toEqual(["src/new.ts"]);
  });

  it("leaves the base's files where the work does not fit on them", async () => {
    await firstRun({ "src/a.ts": "mine\n" });
    const moved = await sandbox.commit("main", { "src/a.ts": "of others\n" });
    await sandbox.git.fetchBranch(REPO, "main");
    const second = await open("run.2", moved);
    expect(await sandbox.git.layWork(second, FROM)).toBe("conflict");
    expect((await sandbox.git.diffWorkspace(second)).paths).toEqual([]);
  });

  it("has nothing to put in when nothing was saved, or long ago under the same name", async () => {
    await firstRun({ "src/a.ts": "mine\n" });
    const later = [{ id: "run.1", since: instant(NOW + 2000) }];
    const second = await open("run.2");
    expect(await sandbox.git.layWork(second, later)).toBe("none");
    await sandbox.git.closeWorkspace(second);
    const third = await open("run.3");
    expect(await sandbox.git.layWork(third, [{ id: "run.2", since: NOW }])).toBe("none");
    expect((await sandbox.git.diffWorkspace(third)).paths).toEqual([]);
  });

  it("does not let half of the work pass for the whole, if it is killed meanwhile", async () => {
    await firstRun({ "src/new.ts": "new\n", "src/a.ts": "better\n" });
    const second = await open("run.2");
    expect(await sandbox.git.layWork(second, FROM)).toBe("laid");
    // As a kill leaves it: the note says that work is being laid, and a file is missing.
    await writeFile(join(dirname(second.path), "work"), "laying");
    await rm(join(second.path, "src/new.ts"));
    expect(await sandbox.git.rescueWorkspace(second, { wasEntered: true })).toBeUndefined();
    await sandbox.git.closeWorkspace(second);
    const third = await open("run.3");
    expect(await sandbox.git.layWork(third, [{ id: "run.2", since: NOW }, ...FROM])).toBe("laid");
    expect((await sandbox.git.diffWorkspace(third)).paths).toEqual(["src/a.ts", "src/new.ts"]);
  });

  it("takes the first that is there, and does so once", async () => {
    await firstRun({ "src/new.ts": "new\n" });
    const second = await open("run.2");
    const from = [{ id: "run.1.lost", since: NOW }, ...FROM];
    expect(await sandbox.git.layWork(second, from)).toBe("laid");
    await writeFiles(second.path, { "src/new.ts": "of the second\n" });
    expect(await sandbox.git.layWork(second, from)).toBe("laid");
    expect(await inTree(second, "src/new.ts")).toBe("of the second\n");
    await sandbox.git.closeWorkspace(second);
    const third = await open("run.3");
    expect((await sandbox.git.diffWorkspace(third)).paths).toEqual([]);
  });
});
