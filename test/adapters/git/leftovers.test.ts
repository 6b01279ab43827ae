import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGit } from "../../../src/adapters/git/create-git.ts";
import { PASSED_OVER } from "../../../src/adapters/host/aside.ts";
import { createLeftovers } from "../../../src/adapters/host/leftovers.ts";
import { instant, type Sha } from "../../../src/domain/ids.ts";
import type { Leftover, Leftovers } from "../../../src/ports/leftovers.ts";
import { AUTHOR, createGitSandbox, REPO, writeFiles, type GitSandbox } from "./git-sandbox.ts";

let sandbox: GitSandbox;
let mirror: string;
beforeEach(async () => {
  sandbox = await createGitSandbox();
  mirror = join(sandbox.dataDir, "mirrors/octo/shop.git");
});
afterEach(() => sandbox.remove());

/** As a process sees the data folder that was started after the one that worked in it. */
function restarted(): Leftovers {
  const git = createGit({
    dataDir: sandbox.dataDir,
    remoteUrl: () => `file://${sandbox.remote}`,
    token: () => Promise.resolve(""),
    now: () => instant(1_700_000_000_000),
  });
  return createLeftovers(sandbox.dataDir, git.leftovers, PASSED_OVER);
}

async function find(leftovers: Leftovers, kind: Leftover["kind"]): Promise<readonly Leftover[]> {
  return (await leftovers.list()).filter((leftover) => leftover.kind === kind);
}

async function removeAll(leftovers: Leftovers, kind: Leftover["kind"]): Promise<void> {
  for (const leftover of await find(leftovers, kind)) await leftovers.remove(leftover);
}

async function has(commit: Sha): Promise<boolean> {
  return sandbox.shell(mirror, "cat-file", "-e", commit).then(
    () => true,
    () => false,
  );
}

/** Makes every object of the mirror look a month old. */
async function age(): Promise<void> {
  await promisify(execFile)("find", [
    join(mirror, "objects"),
    "-type",
    "f",
    "-exec",
    "touch",
    "-d",
    "30 days ago",
    "{}",
    "+",
  ]);
}

describe("leftovers", () => {
  it("tell a workspace in use from one that an earlier process left, and save its work before it goes", async () => {
    const workspace = await sandbox.open("octo.shop.1.1");
    await writeFiles(workspace.path, { "src/work.ts": "work\n" });
    const own = createLeftovers(
      sandbox.dataDir,
      (sandbox.git as ReturnType<typeof createGit>).leftovers,
      PASSED_OVER,
    );
    expect(await find(own, "workspace")).toMatchObject([{ name: "octo.shop.1.1", open: true }]);

    const later = restarted();
    expect(await find(later, "workspace")).toMatchObject([{ open: false }]);
    await removeAll(later, "workspace");
    expect(await find(later, "workspace")).toEqual([]);
    expect(await find(later, "rescue")).toMatchObject([
      { repo: REPO, name: "octo.shop.1.1", at: 1_700_000_000_000 },
    ]);
    await removeAll(later, "rescue");
    expect(await find(later, "rescue")).toEqual([]);
  });

  it("are spares, homes, logs, folders of runs and whatever a crash left half deleted", async () => {
    await sandbox.git.closeWorkspace(await sandbox.open("first"));
    const files = {
      "homes/octo%2Fshop%231/.cache": "",
      "logs/octo.shop.1.1.log": "",
      "runs/octo.shop.1.1%2Fagent/exit": "0",
      "tmp/octo.shop.1.1/file": "",
      "trash/closed-x/folder/base": "",
    };
    await writeFiles(sandbox.dataDir, files);
    const leftovers = restarted();
    const names = (await leftovers.list()).map((one) => ("name" in one ? one.name : one.repo));
    expect(names).toEqual(
      expect.arrayContaining(["octo/shop#1", "octo.shop.1.1.log", "octo.shop.1.1/agent"]),
    );
    for (const leftover of await leftovers.list()) await leftovers.remove(leftover);
    expect(await leftovers.list()).toEqual([]);
  });

  it("leave a spare alone that was taken meanwhile", async () => {
    await sandbox.git.closeWorkspace(await sandbox.open("first"));
    const leftovers = restarted();
    const [spare] = await find(leftovers, "spare");
    const workspace = await sandbox.open("second");
    await leftovers.remove(spare!);
    expect(await readFile(join(workspace.path, "src/a.ts"), "utf8")).toBe("a\n");
  });
});

describe("a compacted mirror", () => {
  it("has lost old trial objects, and nothing that a ref, a workspace or a spare needs", async () => {
    const old = await sandbox.git.fetchBranch(REPO, "main");
    const spared = await sandbox.open("spared", old);
    const held = await sandbox.open("held", old);
    await writeFiles(held.path, { "src/work.ts": "work\n" });
    const trial = await sandbox.git.commitWorkspace(held, { message: "trial", author: AUTHOR });
    await sandbox.git.rescueWorkspace(held);
    await sandbox.git.closeWorkspace(spared);
    // The base branch is replaced: no ref of the mirror's leads to the old base any more, but two workspaces do.
    const person = join(sandbox.root, "person");
    await sandbox.shell(person, "commit", "--quiet", "--amend", "--message", "rewritten");
    await sandbox.shell(person, "push", "--quiet", "--force", "origin", "main");
    await sandbox.git.fetchBranch(REPO, "main");
    await sandbox.shell(mirror, "update-ref", "-d", "refs/wavetrain/rescue/held");
    await age();

    const leftovers = restarted();
    await leftovers.compact(REPO);
    expect(await has(trial)).toBe(false);
    expect(await has(old)).toBe(true);
    expect(await find(leftovers, "mirror")).toMatchObject([{ loose: 0, packs: 1 }]);
    const again = await sandbox.open("again", old);
    expect(await sandbox.shell(again.path, "status", "--porcelain")).toBe("");
    expect((await sandbox.git.diffWorkspace(held)).paths).toEqual(["src/work.ts"]);
  });

  it("still has what was written lately, though nobody refers to it yet", async () => {
    const workspace = await sandbox.open("one");
    await writeFiles(workspace.path, { "src/work.ts": "work\n" });
    const fresh = await sandbox.git.commitWorkspace(workspace, { message: "m", author: AUTHOR });
    await restarted().compact(REPO);
    expect(await has(fresh)).toBe(true);
  });

  it("is compacted also when no workspace is there", async () => {
    await sandbox.git.fetchBranch(REPO, "main");
    const leftovers = restarted();
    await leftovers.compact(REPO);
    expect(await find(leftovers, "mirror")).toMatchObject([{ loose: 0, packs: 1 }]);
  });

  it("is compacted while others work in it", async () => {
    const leftovers = restarted();
    const base = await sandbox.git.fetchBranch(REPO, "main");
    const work = async (id: string): Promise<readonly string[]> => {
      const workspace = await sandbox.open(id, base);
      await writeFiles(workspace.path, { [`src/${id}.ts`]: id });
      const { paths } = await sandbox.git.diffWorkspace(workspace);
      await sandbox.git.rescueWorkspace(workspace);
      await sandbox.git.closeWorkspace(workspace);
      return paths;
    };
    const ids = ["a1", "b1", "c1", "d1"];
    const [, ...diffs] = await Promise.all([leftovers.compact(REPO), ...ids.map(work)]);
    expect(diffs).toEqual(ids.map((id) => [`src/${id}.ts`]));
  });
});
