import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { taskSpecFromIssue } from "../../src/board/issue/task-from-issue.ts";
import { anIssue, DEFAULTS } from "./issues.ts";

const page = readFileSync("docs/tasks.md", "utf8");
const read = (body: string) => taskSpecFromIssue(anIssue({ body }), DEFAULTS);

describe("docs/tasks.md", () => {
  it("shows an example that is read as it says", () => {
    const example = /```markdown\n([^]*?)```/.exec(page)?.[1] ?? "";
    expect(read(example)).toMatchObject({
      claims: [
        { mode: "write", pattern: "src/session/" },
        { mode: "write", pattern: "test/session/**" },
        { mode: "read", pattern: "src/db.ts" },
      ],
      dependsOn: ["acme/shop#12"],
      invalid: undefined,
    });
  });

  it("lists ways to write files that all work", () => {
    const table = page.slice(page.indexOf("| Written"), page.indexOf("In a code fence"));
    const written = [...table.matchAll(/^\| (`+) ?(.+?) ?\1 /gm)].map(([, , text]) => text ?? "");
    expect(written).toHaveLength(8);
    for (const text of written) {
      expect(read(`## Files\n${text}`).invalid).toBeUndefined();
      expect(read(`## Files\n${text}`).claims).toHaveLength(1);
    }
  });
});
