import { describe, expect, it } from "vitest";
import { wordsOfLfs } from "../../../../src/adapters/git/lfs/words-of-lfs.ts";
import { repoName } from "../../../../src/domain/ids.ts";

const PLACE = { repo: repoName("acme/shop"), secrets: ["ghs_secret"] };
const words = (stderr: string): string => wordsOfLfs({ code: 2, stdout: "", stderr }, PLACE);

describe("wordsOfLfs", () => {
  it("tells the reason once, without how far it was and without secrets", () => {
    const said = [
      "Uploading LFS objects:   0% (0/1), 0 B | 0 B/s\rUploading LFS objects:  50% (0/1)",
      'Locking support detected on remote "origin". Consider enabling it with:',
      "  $ git config lfs.http://127.0.0.1/acme/shop.git/info/lfs.locksverify true",
      "batch response: over the quota ghs_secret",
      "batch response: over the quota ghs_secret",
      "error: failed to push some refs to 'http://127.0.0.1/acme/shop.git'",
    ];
    expect(words(said.join("\n"))).toBe("batch response: over the quota ***");
  });

  it("says so when there is none", () => {
    expect(words("")).toBe("git-lfs gave no reason");
  });

  it("is not longer than people read", () => {
    expect(words("x".repeat(10_000))).toHaveLength(300);
  });
});
