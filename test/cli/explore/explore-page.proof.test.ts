import { readFileSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { taskSpecFromIssue } from "../../../src/board/issue/task-from-issue.ts";
import { aConfig } from "../../support/a-config.ts";
import { bundledApp } from "../../support/bundle-app.ts";
import { anIssue } from "../../support/builders.ts";
import { further } from "../../support/further.ts";
import { userGit } from "../../support/user-repository.ts";

const page = readFileSync("docs/explore.md", "utf8");

describe("docs/explore.md", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "explore-page-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  further(
    "shows what its example prints, but for commits, times and whose turn came first",
    async () => {
      const repo = join(folder, "packing");
      await cp("examples/packing", repo, { recursive: true });
      const git = userGit(repo);
      await git("init", "-q", "-b", "main");
      await git("add", ".");
      await git("commit", "-qm", "First commit");
      const [, typed = ""] = /\nwavetrain (explore [^`]*?)\n```/.exec(page) ?? [];
      const command = typed.replaceAll("\\\n", " ");
      const { stdout } = await execa("sh", ["-c", `node "$0" ${command}`, await bundledApp()], {
        cwd: repo,
        env: { TMPDIR: folder },
      });
      const [, shown = ""] = /```\n(base [\s\S]*?)\n\nWinner/.exec(page) ?? [];
      const tree = /^base [\s\S]*?(?=\n\n)/m.exec(stdout.slice(stdout.indexOf("promoted   8")));
      expect(withoutCommit(tree?.[0] ?? stdout)).toBe(withoutCommit(shown));
      expect(stdout).toContain("Winner: 8 (ideas/largest-first.md) on 1 scores 97.61");
    },
  );

  it("has an issue that is read as it says", () => {
    const [, text = ""] = /```text\n([\s\S]*?)```/.exec(page) ?? [];
    const body = text.replaceAll(/^ {3}/gm, "");
    const config = aConfig({ scores: { fill: { run: "node score.mjs" } } });
    const spec = taskSpecFromIssue(anIssue({ body, labels: ["explore"] }), config);
    expect(spec.invalid).toBeUndefined();
    expect(spec.explore).toEqual({
      ideas: { kind: "files", patterns: ["ideas/*.md"] },
      score: "fill",
      depth: 2,
      beam: 3,
    });
    expect(spec.claims).toEqual([{ mode: "write", pattern: "pack.mjs" }]);
  });
});

function withoutCommit(tree: string): string {
  return tree.replace(/^base [0-9a-f]+/, "base");
}
