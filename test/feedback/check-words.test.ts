import { describe, expect, it } from "vitest";
import type { FailedCheck } from "../../src/domain/pull-review.ts";
import { wordsOfCheck } from "../../src/feedback/check-words.ts";

const CHECK: FailedCheck = { id: 1, name: "test", text: "", remarkCount: 0, isJob: true, at: 0 };
const REMARK = { path: "src/a.ts", line: 3, level: "failure", text: "Not so." };

describe("wordsOfCheck", () => {
  it("says at least that it failed", () => {
    expect(wordsOfCheck(CHECK, { remarks: [], steps: [] })).toBe("It failed.");
  });

  it("has the check's words, its remarks and the end of the log, each cleaned", () => {
    const check = { ...CHECK, text: "1 error<!-- hidden -->", remarkCount: 4 };
    const evil = { ...REMARK, path: "src/b.ts", level: "warning", text: "line\nbreak \u202Ebidi" };
    const steps = [{ name: "Run\ntests", log: "\u001b[31mred\u001b[0m\n```\nnot the end" }];
    expect(wordsOfCheck(check, { remarks: [REMARK, evil], steps })).toMatchInlineSnapshot(`
      "1 error

      src/a.ts:3: failure: Not so.
      src/b.ts:3: warning: line break bidi

      2 more annotations are not shown here.

      The end of the log of the step "Run tests":

      \`\`\`\`text
      red
      \`\`\`
      not the end
      \`\`\`\`"
    `);
  });

  it("stays short, and cuts the log's beginning and the words' end", () => {
    const huge = "x".repeat(100_000);
    const remarks = Array.from({ length: 20 }, () => ({ ...REMARK, text: huge }));
    const steps = [
      { name: "one", log: `${huge}first end` },
      { name: "two", log: `${huge}second end` },
    ];
    const words = wordsOfCheck({ ...CHECK, text: huge, remarkCount: 200 }, { remarks, steps });
    expect(words.length).toBeLessThan(8000);
    expect(words).toContain("first end\n```");
    expect(words).toContain("second end\n```");
    expect(words).toContain("180 more annotations are not shown here.");
  });
});
