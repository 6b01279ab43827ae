import { describe, expect, it } from "vitest";
import { taskId } from "../../../src/domain/ids.ts";
import { renderPlan } from "../../../src/report/render/render-plan.ts";
import type { PlannedTask } from "../../../src/report/render/render-plan.ts";
import { REPO } from "../views.ts";

const id = (number: number) => taskId(`acme/shop#${number}`);
const tasks = new Map<ReturnType<typeof id>, PlannedTask>([
  [id(4), { title: "Add the table", dependsOn: [] }],
  [id(5), { title: 'Show "it" | <b>', dependsOn: [] }],
  [id(6), { title: "Keep sessions", dependsOn: [id(4), taskId("other/repo#1")] }],
]);

describe("renderPlan", () => {
  it("draws the waves, lists them, and says what cannot be planned", () => {
    const plan = {
      waves: [[id(4), id(5)], [id(6)]],
      blocked: [
        {
          id: id(9),
          cause: {
            code: "dependency-unknown" as const,
            reason: "depends on #99, which is not there",
          },
        },
      ],
    };
    expect(renderPlan({ repo: REPO, plan, tasks })).toMatchInlineSnapshot(`
      "\`\`\`mermaid
      flowchart LR
        subgraph w0 ["Wave 1"]
          t0["#35;4 Add the table"]
          t1["#35;5 Show #34;it#34; #124; #60;b#62;"]
        end
        subgraph w1 ["Wave 2"]
          t2["#35;6 Keep sessions"]
        end
        t0 --> t2
      \`\`\`

      | Wave | Task | Title | Depends on |
      | ---: | --- | --- | --- |
      | 1 | #4 | Add the table |  |
      | 1 | #5 | Show "it" \\| \\<b\\> |  |
      | 2 | #6 | Keep sessions | #4, \`other/repo#1\` |

      **Cannot be planned**

      - #9: depends on #99, which is not there
      "
    `);
  });

  it("says when there is nothing", () => {
    const plan = { waves: [], blocked: [] };
    expect(renderPlan({ repo: REPO, plan, tasks })).toBe("Nothing is ready to be planned.\n");
  });

  it("leaves the picture out when it would be a wall", () => {
    const plan = { waves: [Array.from({ length: 61 }, (_, i) => id(i + 1))], blocked: [] };
    expect(renderPlan({ repo: REPO, plan, tasks })).not.toContain("mermaid");
  });
});
