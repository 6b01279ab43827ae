import { describe, expect, it } from "vitest";
import { taskSpecFromIssue } from "../../../src/board/issue/task-from-issue.ts";
import { exploreSettings } from "../../../src/cli/explore/explore-config.ts";
import { exploreIssue, issueProblem } from "../../../src/cli/explore/explore-issue.ts";
import type { ExploreOptions } from "../../../src/cli/explore/explore-options.ts";
import { defaultRepoConfig, mergeConfig } from "../../../src/config/repository/read-repo-config.ts";
import { anIssue } from "../../support/builders.ts";
import { OPTIONS } from "./explore-options-of.ts";

function configOf(options: ExploreOptions) {
  const config = mergeConfig(defaultRepoConfig(), exploreSettings(options));
  if (!config.ok) throw new Error(config.error);
  return config.value;
}

/** What the app reads out of the issue. */
function readBack(given: Partial<ExploreOptions>) {
  const options = { ...OPTIONS, ...given };
  const { title, body, labels } = exploreIssue(options);
  return taskSpecFromIssue(anIssue({ title, body, labels }), configOf(options));
}

function typed(...texts: readonly string[]): Partial<ExploreOptions> {
  return { ideas: { kind: "list", ideas: texts.map((text) => ({ name: text, text })) } };
}

describe("exploreIssue", () => {
  it("says files, score and ideas so that the app reads the same", () => {
    expect(readBack({ claims: ["src/**", "a b.txt"] })).toMatchObject({
      title: "Make it fast",
      claims: [
        { mode: "write", pattern: "src/**" },
        { mode: "write", pattern: "a b.txt" },
      ],
      parallelSafe: true,
      explore: { score: "given", ideas: { kind: "files", patterns: ["ideas/*.md"] } },
    });
    expect(readBack({ ideas: { kind: "ask", count: 7 } }).explore).toEqual({
      score: "given",
      ideas: { kind: "ask", count: 7 },
    });
  });

  it.each([
    "use a heap",
    "a better score: 3\n\nscore: 4\ndepth: 9",
    "- a list\n- of things\n  - inside",
    "# heading\n\n## another",
    "`code` and ```` many ````\n```sh\nls *.md\n```",
    "<!-- hidden -->\n<details>\n&amp; **bold**",
    "@you #1 https://example.com ideas: none",
  ])("keeps a typed idea as it is: %j", (text) => {
    const options = { ...OPTIONS, ...typed(text, "another") };
    expect(issueProblem(options, configOf(options))).toBeUndefined();
    const { explore } = readBack(typed(text, "another"));
    expect(explore?.ideas).toMatchObject({ kind: "list", ideas: [{}, { name: "another" }] });
  });

  it("is read with the files and ideas that were given, whatever the task's own words are", () => {
    for (const body of ["```\nnever closed", "<!-- never closed", "### Files\n\n- x.txt"]) {
      const options = { ...OPTIONS, body };
      expect(issueProblem(options, configOf(options))).toBeUndefined();
    }
  });

  it.each([
    ["a key", { body: "### Explore\n\ndepth: 3\nscore: given" }, '"score" is said twice: keep one'],
    ["a dependency", { body: "Depends on #2" }, "--task-file: it depends on other issues"],
    ["too long a text", { body: "x".repeat(70_000) }, "the limit is 65536"],
  ])("says what would be read otherwise: %s", (_, given, words) => {
    const options = { ...OPTIONS, ...given };
    expect(issueProblem(options, configOf(options))).toContain(words);
  });
});
