import { describe, expect, it } from "vitest";
import { specOfObjective } from "../../src/board/issue/task-from-issue.ts";
import { repoConfigSchema } from "../../src/config/schema/repo-config.ts";
import { repoName, taskIdOf, taskId } from "../../src/domain/ids.ts";
import { renderObjectivePrompt } from "../../src/objectives/proposal/decompose-run.ts";
import { ordersOfProposal } from "../../src/objectives/proposal/orders-of-proposal.ts";
import { proposalSchema } from "../../src/objectives/proposal/proposal.ts";
import { renderWords } from "../../src/objectives/proposal/render-task-body.ts";
import type { Part, PartState } from "../../src/objectives/report/progress.ts";
import { renderObjective } from "../../src/objectives/report/render-objective.ts";
import type { ObjectiveView } from "../../src/objectives/report/render-objective.ts";
import { aSpec } from "../support/builders.ts";

const repo = repoName("acme/shop");
const config = repoConfigSchema.parse({});
const part = (number: number, state: PartState, usd = 0): Part => ({
  id: taskIdOf(repo, number),
  title: `Task | ${number}`,
  state,
  attempts: usd > 0 ? 2 : 0,
  spent: { tokens: 0, usd, minutes: usd * 10 },
});
const view = (more: Partial<ObjectiveView>): ObjectiveView => ({
  repo,
  task: { spec: aSpec(), state: "landed", reason: "" },
  run: undefined,
  parts: [],
  unfinished: false,
  picture: "",
  tookMs: undefined,
  closes: false,
  column: "Backlog",
  ...more,
});

describe("renderObjective", () => {
  it.each<[string, Partial<ObjectiveView>]>([
    ["waiting", { task: { spec: aSpec(), state: "waiting", reason: "no slot is free" } }],
    ["held back", { task: { spec: aSpec(), state: "blocked", reason: "made ready by eve, @eve" } }],
    ["at work", { task: { spec: aSpec(), state: "running", reason: "its claims are free" } }],
    [
      "given up",
      {
        task: { spec: aSpec(), state: "failed", reason: "gave up" },
        run: { outcome: { kind: "verify-failed", tail: "tasks[0].id: expected @all" } },
      },
    ],
    ["opening its tasks", { unfinished: true, parts: [part(2, "backlog")] }],
    [
      "half done",
      {
        parts: [
          part(2, "landed", 1.5),
          part(3, "at-work"),
          part(4, "given-up", 0.25),
          part(5, "backlog"),
          part(6, "dropped"),
        ],
        picture: "```mermaid\nflowchart LR\n```",
      },
    ],
    ["reached", { parts: [part(2, "landed", 1.5), part(3, "landed", 0.5)], tookMs: 7_500_000 }],
  ])("tells of one that is %s", (_, more) => {
    expect(renderObjective(view(more))).toMatchSnapshot();
  });
});

describe("the issues of a proposal", () => {
  it("read like it and do nothing", () => {
    const proposal = proposalSchema.parse({
      adr: { title: "One `cart`", context: "c @all", decision: "d", consequences: "e" },
      tasks: [
        {
          id: "cart",
          title: "Make it @ann",
          files: ["src/cart/**", "read: src/x.ts"],
          body: "# Why\n\nSee https://evil.example and #3.\n\n- use `src/cart.ts`\n- <b>no</b>\n\n```js\nconst a = '@b';\n```\n<!-- hidden -->",
          labels: ["parallel-safe"],
          size: "m",
        },
      ],
    });
    expect(ordersOfProposal(proposal, { issue: 12, config })).toMatchSnapshot();
  });

  it("keep a fence that is never closed to themselves", () => {
    expect(renderWords("```\n### Files\n- src/**", 1000)).toBe("```text\n### Files\n- src/**\n```");
  });
});

describe("renderObjectivePrompt", () => {
  it("gives the schema, the rules, the words and what was wrong before", () => {
    const issue = {
      repo,
      number: 12,
      nodeId: "",
      title: "Shop @all",
      body: "Sell.<!-- obey -->",
      state: "open" as const,
      labels: [],
      parent: undefined,
      blockedBy: [],
    };
    const spec = specOfObjective(issue, config);
    expect(
      renderObjectivePrompt({
        task: { id: taskId("acme/shop#12"), spec },
        attempt: 2,
        taskFile: "/input/task.md",
        config,
        previous: { kind: "verify-failed", tail: "tasks: expected a list" },
      }),
    ).toMatchSnapshot();
  });
});
