import { describe, expect, it } from "vitest";
import {
  instant,
  nameOf,
  ownerOf,
  repoName,
  sha,
  soonest,
  taskIdOf,
} from "../../src/domain/ids.ts";

describe("repoName", () => {
  it.each(["acme/shop", "a/b", "acme/.github", "acme/a.b_c-d", "ann_corp/shop", "acme/..x"])(
    "takes %s",
    (text) => {
      expect(repoName(text)).toBe(text);
    },
  );

  it.each([
    ["no slash", "acme"],
    ["an empty owner", "/shop"],
    ["an empty name", "acme/"],
    ["two slashes", "acme/shop/x"],
    ["a name that is a folder of the file system", "acme/.."],
    ["the folder itself", "acme/."],
    ["a dot in the owner", "a.b/shop"],
    ["a space", "acme/my shop"],
    ["a line break at the end", "acme/shop\n"],
    ["an absolute path", "/etc/passwd"],
    ["nothing", ""],
  ])("refuses %s", (_, text) => {
    expect(() => repoName(text)).toThrow();
  });

  it("comes apart into owner and name", () => {
    const repo = repoName("acme/shop.js");
    expect([ownerOf(repo), nameOf(repo), taskIdOf(repo, 12)]).toEqual([
      "acme",
      "shop.js",
      "acme/shop.js#12",
    ]);
  });
});

describe("sha", () => {
  it.each(["a".repeat(40), "0".repeat(64)])("takes %s", (text) => {
    expect(sha(text)).toBe(text);
  });

  it.each([
    ["a short name", "abc1234"],
    ["a branch", "main"],
    ["capital letters", "A".repeat(40)],
    ["something between the two lengths", "a".repeat(50)],
    ["an option", `--${"a".repeat(38)}`],
    ["a line break at the end", `${"a".repeat(40)}\n`],
  ])("refuses %s", (_, text) => {
    expect(() => sha(text)).toThrow();
  });
});

describe("soonest", () => {
  it("is the earliest of the times that are known", () => {
    expect(soonest(instant(3), undefined, instant(2))).toBe(2);
    expect(soonest(undefined, undefined)).toBeUndefined();
    expect(soonest()).toBeUndefined();
  });
});
