import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { taskSpecFromIssue } from "../../src/board/issue/task-from-issue.ts";
import { aConfig } from "../support/a-config.ts";
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

  it("shows an exploration that is read as it says, and keys that all work", () => {
    const part = page.slice(page.indexOf("## Explore"), page.indexOf("## When something"));
    const config = aConfig({ scores: { speed: { run: "make bench" } } });
    const explored = (body: string) =>
      taskSpecFromIssue(anIssue({ body, labels: ["explore"] }), config);
    expect(explored(/```markdown\n([^]*?)```/.exec(part)?.[1] ?? "")).toMatchObject({
      explore: {
        ideas: {
          kind: "list",
          ideas: [
            { name: "Sort long runs by their first byte before merging" },
            {
              name: "Keep short runs on the stack",
              text: "Keep short runs on the stack\nand write each of them once",
            },
          ],
        },
        depth: 2,
        score: "speed",
      },
      invalid: undefined,
    });
    const rows = [...part.matchAll(/^\| `([^|]+?)` +\|/gm)].map(([, keys]) => keys ?? "");
    expect(rows).toHaveLength(7);
    for (const keys of rows) {
      const lines = keys.split("`, `").join("\n");
      const source = /^(?:ideas|ask)/.test(lines) ? "" : "ask: 5\n";
      const score = lines.startsWith("score") ? "" : "\n\nscore: speed";
      const items = lines === "ideas:" ? "\n- a" : "";
      const { explore, invalid } = explored(`## Explore\n${source}${lines}${items}${score}`);
      expect({ invalid, read: explore !== undefined }).toEqual({ invalid: undefined, read: true });
    }
  });
});
