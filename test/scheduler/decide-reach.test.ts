import { describe, expect, it } from "vitest";
import type { OutOfReach } from "../../src/domain/claim/out-of-reach.ts";
import { parseClaim } from "../../src/domain/claim/parse-claim.ts";
import { unreachableIn } from "../../src/scheduler/decide-reach.ts";
import { aConfig } from "../support/a-config.ts";
import { REPO, aSpec, aTask } from "../support/builders.ts";

const NOTHING: OutOfReach = { submodules: [], lfs: [] };

function causeOf(files: readonly string[], outOfReach = NOTHING, mayWriteWorkflows?: boolean) {
  const context = { repo: REPO, base: "main", config: aConfig(), mayWriteWorkflows };
  const claims = files.flatMap((line) => {
    const claim = parseClaim(line);
    return claim.ok ? [claim.value] : [];
  });
  const task = aTask({ spec: aSpec({ claims }) });
  return unreachableIn({ context, outOfReach, directories: new Set([".github", "docs"]) })(task);
}

describe("a task for workflow files", () => {
  it.each([
    [[".github/workflows/ci.yml"]],
    [[".github/workflows/**"]],
    [[".github/workflows"]],
    [[".GitHub/Workflows/*.yml"]],
    [["src/a.ts", ".github/workflows/{a,b}.yml"]],
  ])("is blocked by %j without the permission", (files) => {
    const cause = causeOf(files, NOTHING, false);
    expect(cause?.code).toBe("no-permission");
    expect(cause?.reason).toContain("lacks the permission workflows: write");
    expect(cause?.reason).toContain("accept it for octo");
    expect(causeOf(files, NOTHING, true)).toBeUndefined();
    expect(causeOf(files)).toBeUndefined();
  });

  it.each([
    [[".github/"]],
    [["**"]],
    [[".github/workflows.md"]],
    [["docs/workflows/ci.yml"]],
    [["read: .github/workflows/ci.yml", "src/a.ts"]],
    [["src/a.ts", ".github/workflows/ci.yml", "!.github/workflows/"]],
    [[]],
  ])("is not blocked by %j, which merely could touch them", (files) => {
    expect(causeOf(files, NOTHING, false)).toBeUndefined();
  });
});

describe("a task for a submodule", () => {
  const outOfReach = { ...NOTHING, submodules: ["vendor/lib", "odd/[x]"] };

  it.each([
    [["vendor/lib"], "vendor/lib"],
    [["vendor/lib/src/**"], "vendor/lib"],
    [["src/a.ts", "Vendor/lib/a.c"], "vendor/lib"],
    [["odd/\\[x]/a"], "odd/[x]"],
  ])("is blocked by %j", (files, path) => {
    expect(causeOf(files, outOfReach)).toEqual({
      code: "out-of-reach",
      reason: `${path} is a submodule: a run here cannot change what is inside; change it in its own repository`,
    });
  });

  it.each([
    [["vendor/"]],
    [["vendor/library/a.c"]],
    [["read: vendor/lib/a.c", "src/a.ts"]],
    [["odd/x/a"]],
  ])("is not blocked by %j", (files) => {
    expect(causeOf(files, outOfReach)).toBeUndefined();
  });
});

describe("a task for files that Git LFS keeps", () => {
  const lfs = [
    { pattern: "**/*.psd", kept: true },
    { pattern: "assets/**", kept: true },
    { pattern: "assets/text/*.txt", kept: false },
  ];

  it.each([
    [["design/logo.psd"], "**/*.psd"],
    [["logo.PSD"], "**/*.psd"],
    [["design/**/*.psd"], "**/*.psd"],
    [["assets/"], undefined],
    [["assets/images/"], "assets/**"],
    [["assets/text/a.txt"], undefined],
    [["src/"], undefined],
  ])("by %j is blocked by the rule %j", (files, rule) => {
    const cause = causeOf(files, { ...NOTHING, lfs });
    expect(cause?.reason).toBe(
      rule &&
        `${files[0] ?? ""} is kept by Git LFS (${rule}): a run sees only pointers, and what it wrote would land as plain files; install git-lfs on the server, or leave it to a person`,
    );
  });

  it("is not blocked by a rule for a file of the same name as its folder", () => {
    const rule = [{ pattern: "**/data", kept: true }];
    expect(causeOf(["src/data/x.ts"], { ...NOTHING, lfs: rule })).toBeUndefined();
    expect(causeOf(["src/data"], { ...NOTHING, lfs: rule })).toBeUndefined();
  });

  it("is not blocked where the task changes what is kept, too", () => {
    expect(causeOf([".gitattributes", "logo.psd"], { ...NOTHING, lfs })).toBeUndefined();
    const submodules = ["libs/foo"];
    expect(causeOf([".gitmodules", "libs/foo"], { ...NOTHING, submodules })).toBeUndefined();
  });

  it("is not blocked by a rule that cannot be read", () => {
    expect(causeOf(["a"], { ...NOTHING, lfs: [{ pattern: "[", kept: true }] })).toBeUndefined();
  });
});
