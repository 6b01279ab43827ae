import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sha } from "../../../../src/domain/ids.ts";
import { createGitSandbox, REPO } from "../git-sandbox.ts";
import type { GitSandbox } from "../git-sandbox.ts";

let sandbox: GitSandbox;
beforeEach(async () => {
  sandbox = await createGitSandbox();
});
afterEach(() => sandbox.remove());

describe("directoriesOf", () => {
  it("lists directories at every depth, also with names that git would quote", async () => {
    const files = { "docs/v1.0/größe/a b.md": "", "LICENSE.d/x": "", top: "" };
    await sandbox.commit("main", files);
    const tip = await sandbox.git.fetchBranch(REPO, "main");
    const directories = await sandbox.git.directoriesOf(REPO, tip);
    expect([...directories].sort()).toEqual([
      "LICENSE.d",
      "docs",
      "docs/v1.0",
      "docs/v1.0/größe",
      "src",
    ]);
  });

  it("tells each commit's own, and remembers it", async () => {
    const first = await sandbox.git.fetchBranch(REPO, "main");
    await sandbox.commit("main", { "lib/a.ts": "" });
    const second = await sandbox.git.fetchBranch(REPO, "main");
    expect(await sandbox.git.directoriesOf(REPO, second)).toEqual(new Set(["lib", "src"]));
    const before = await sandbox.git.directoriesOf(REPO, first);
    expect(before).toEqual(new Set(["src"]));
    expect(await sandbox.git.directoriesOf(REPO, first)).toBe(before);
  });

  it("forgets a failure: the commit may be there the next time", async () => {
    const tip = await sandbox.git.fetchBranch(REPO, "main");
    const later = await sandbox.commit("main", { "lib/a.ts": "" });
    await expect(sandbox.git.directoriesOf(REPO, later)).rejects.toMatchObject({
      code: "git-failed",
    });
    expect(later).not.toBe(tip);
    await sandbox.git.fetchBranch(REPO, "main");
    expect(await sandbox.git.directoriesOf(REPO, sha(later))).toEqual(new Set(["lib", "src"]));
  });
});
