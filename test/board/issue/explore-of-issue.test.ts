import { describe, expect, it } from "vitest";
import {
  isLabelledObjective,
  specOfObjective,
  taskSpecFromIssue,
} from "../../../src/board/issue/task-from-issue.ts";
import { digest } from "../../../src/shared/digest.ts";
import { aConfig } from "../../support/a-config.ts";
import { anIssue, DEFAULTS } from "../issues.ts";

const SCORES = { speed: { run: "make bench" }, size: { run: "wc -c out" } };
const WITH_SCORES = aConfig({ scores: SCORES });
const RANKED = aConfig({ scores: SCORES, explore: { score: "size" } });
const BODY = "## Explore\nask: 5\nscore: speed\n\n## Files\n- src/";
const MISSING =
  'the label "explore" goes with a section Explore, and there is none: write "ideas:" there with a list below it or files such as ideas/*.md, or "ask: 5"';

function specOf(body: string, labels: readonly string[] = ["explore"], config = WITH_SCORES) {
  return taskSpecFromIssue(anIssue({ body, labels: [...labels] }), config);
}

describe("taskSpecFromIssue: explore", () => {
  it("takes the section of an issue with the label, whatever its case", () => {
    for (const label of ["explore", " Explore "]) {
      expect(specOf(BODY, [label])).toMatchObject({
        explore: { ideas: { kind: "ask", count: 5 }, score: "speed" },
        claims: [{ mode: "write", pattern: "src/" }],
        invalid: undefined,
      });
    }
  });

  it("finds files right below the last idea", () => {
    expect(specOf("## Explore\nscore: speed\nideas:\n- a\nFiles: a.c, b.c")).toMatchObject({
      explore: { ideas: { kind: "list", ideas: [{ name: "a", text: "a" }] } },
      claims: [{ pattern: "a.c" }, { pattern: "b.c" }],
      invalid: undefined,
    });
  });

  it("takes a label of another name", () => {
    const config = aConfig({ scores: SCORES, labels: { explore: "search" } });
    expect(specOf(BODY, ["search"], config).explore).toBeDefined();
    expect(specOf(BODY, ["explore"], config)).not.toHaveProperty("explore");
  });

  it("leaves to the settings what the section leaves out", () => {
    expect(specOf("## Explore\nask: 5", ["explore"], RANKED)).toMatchObject({
      explore: { ideas: { kind: "ask", count: 5 } },
      invalid: undefined,
    });
    expect(Object.keys(specOf("## Explore\nask: 5", ["explore"], RANKED).explore ?? {})).toEqual([
      "ideas",
    ]);
  });

  it("ignores the section without the label", () => {
    expect(specOf(BODY, [])).not.toHaveProperty("explore");
    expect(specOf("## Explore\ndepth: 0\nscore: rm -rf", []).invalid).toBeUndefined();
    const spec = specOf("## Explore\ndepth: 0\n\n## Files\n- a.ts", []);
    const plain = specOf("## Files\n- a.ts", []);
    expect(digest({ ...spec, body: "" })).toBe(digest({ ...plain, body: "" }));
  });

  it("is a part of what makes the task another one", () => {
    const one = specOf(BODY);
    const other = { ...specOf(BODY.replace("5", "6")), body: one.body };
    expect(digest(other)).not.toBe(digest(one));
  });

  it.each([
    ["no section", "Make it faster.", MISSING],
    ["a section below another heading's name", "## Explored\nask: 5", MISSING],
    [
      "a section with a problem",
      "## Explore\nask: 0\nscore: speed",
      'ask has to be a whole number from 1 to 100 (line 2: "ask: 0")',
    ],
    [
      "a score that is none",
      "## Explore\nask: 5\nscore: fast",
      '"fast" is no score of this repository; write "score:" in the section Explore with one of those in .github/wavetrain.yml: speed, size. Commands never come from an issue',
    ],
    [
      "a command for a score",
      "## Explore\nask: 5\nscore: make bench && echo 1",
      '"make bench && echo 1" is no score of this repository; write "score:" in the section Explore with one of those in .github/wavetrain.yml: speed, size. Commands never come from an issue',
    ],
    [
      "a score that every object has",
      "## Explore\nask: 5\nscore: constructor",
      '"constructor" is no score of this repository; write "score:" in the section Explore with one of those in .github/wavetrain.yml: speed, size. Commands never come from an issue',
    ],
    [
      "no score",
      "## Explore\nask: 5",
      'no score says which result is the best; write "score:" in the section Explore with one of those in .github/wavetrain.yml: speed, size. Commands never come from an issue',
    ],
  ])("refuses an issue with the label and %s", (_name, body, reason) => {
    const spec = specOf(body);
    expect(spec.invalid).toEqual({ code: "bad-task", reason });
    expect(spec).not.toHaveProperty("explore");
  });

  it("refuses it in a repository without scores", () => {
    expect(specOf("## Explore\nask: 5\nscore: speed", ["explore"], DEFAULTS).invalid).toEqual({
      code: "bad-task",
      reason:
        '"speed" is no score of this repository; .github/wavetrain.yml has no scores, a person has to add one there. Commands never come from an issue',
    });
    expect(specOf("## Explore\nask: 5", ["explore"], DEFAULTS).invalid?.reason).toBe(
      "no score says which result is the best; .github/wavetrain.yml has no scores, a person has to add one there. Commands never come from an issue",
    );
  });

  it("counts the issue's score more than the repository's", () => {
    expect(specOf(BODY, ["explore"], RANKED).explore?.score).toBe("speed");
    expect(specOf("## Explore\nask: 5\nscore: fast", ["explore"], RANKED).invalid).toBeDefined();
  });

  it.each(["candidates:3", "candidates:1", "Candidates:5"])(
    "does not choose between explore and %s",
    (label) => {
      expect(specOf(BODY, ["explore", label]).invalid).toEqual({
        code: "bad-task",
        reason: `labels ask for "explore" and for "${label.toLowerCase()}": keep one`,
      });
      expect(specOf(BODY, [label]).invalid).toBeUndefined();
    },
  );

  it("leaves an objective an objective", () => {
    const labels = ["explore", "objective", "candidates:2"];
    const issue = anIssue({ body: "Make all of it faster.", labels });
    expect(isLabelledObjective(issue, WITH_SCORES)).toBe(true);
    expect(specOfObjective(issue, WITH_SCORES)).not.toHaveProperty("explore");
    expect(specOf("Make all of it faster.", labels).invalid).toBeUndefined();
    expect(specOf(BODY, labels)).not.toHaveProperty("explore");
  });

  it("says first what is wrong with the issue as a whole", () => {
    const body = `## Explore\nask: 5\n${"x".repeat(65_536)}`;
    expect(specOf(body).invalid?.reason).toMatch(/characters, the limit is 65536/);
  });
});
