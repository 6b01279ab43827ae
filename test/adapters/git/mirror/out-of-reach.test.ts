import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGitSandbox, REPO } from "../git-sandbox.ts";
import type { GitSandbox } from "../git-sandbox.ts";

let sandbox: GitSandbox;
beforeEach(async () => {
  sandbox = await createGitSandbox();
});
afterEach(() => sandbox.remove());

describe("outOfReachIn", () => {
  it("finds nothing in most repositories", async () => {
    const tip = await sandbox.git.fetchBranch(REPO, "main");
    expect(await sandbox.git.outOfReachIn(REPO, tip)).toEqual({ submodules: [], lfs: [] });
  });

  it("finds submodules at every depth", async () => {
    const person = join(sandbox.root, "person");
    for (const path of ["lib", "vendor/größe b"]) {
      const entry = `160000,${"1".repeat(40)},${path}`;
      await sandbox.shell(person, "update-index", "--add", "--cacheinfo", entry);
    }
    await sandbox.shell(person, "commit", "--quiet", "-m", "submodules");
    await sandbox.shell(person, "push", "--quiet", "origin", "main");
    const tip = await sandbox.git.fetchBranch(REPO, "main");
    const { submodules } = await sandbox.git.outOfReachIn(REPO, tip);
    expect(submodules).toEqual(["lib", "vendor/größe b"]);
  });

  it("reads what all .gitattributes say of Git LFS, the deeper ones last", async () => {
    await sandbox.commit("main", {
      ".gitattributes": [
        "# *.doc filter=lfs",
        "*.psd filter=lfs diff=lfs merge=lfs -text",
        "/media/* filter=lfs",
        "docs/*.pdf\tfilter=lfs",
        "*.txt text",
        "odd/{a}* filter=lfs",
        "",
      ].join("\n"),
      "a/deep/.gitattributes": "*.psd -filter\n",
      "a/.gitattributes": "/b.bin filter=lfs\n",
      "notes/attributes.txt": "*.x filter=lfs\n",
    });
    const tip = await sandbox.git.fetchBranch(REPO, "main");
    expect((await sandbox.git.outOfReachIn(REPO, tip)).lfs).toEqual([
      { pattern: "**/*.psd", kept: true },
      { pattern: "media/*", kept: true },
      { pattern: "docs/*.pdf", kept: true },
      { pattern: "a/b.bin", kept: true },
      { pattern: "a/deep/**/*.psd", kept: false },
    ]);
  });
});
