import { describe, expect, it } from "vitest";
import { renderStatus } from "../../../src/cli/remote/status-command.ts";
import { instant } from "../../../src/domain/ids.ts";
import type { Instant } from "../../../src/domain/ids.ts";
import type { HeldBack } from "../../../src/ports/api-budget.ts";
import { NOW } from "../../support/builders.ts";

const IDLE = {
  at: NOW,
  host: undefined,
  slots: 4,
  notices: [],
  repositories: [],
  runners: [{ name: "claude", slots: 4, waiting: 2, busy: 3, free: 1, utilization: 0.784 }],
};

const UNKNOWN = {
  installation: 7,
  rest: undefined,
  graphql: undefined,
  writes: { limit: 500, left: 480 },
  heldBack: [],
  askedUntil: undefined,
};

describe("the status", () => {
  it("says for each runner what waits for it, what it does and how much of it was used", () => {
    const codex = { name: "codex", slots: 2, waiting: 0, busy: 0, free: 1, utilization: 0 };
    const runners = [...IDLE.runners, codex];
    expect(renderStatus({ ...IDLE, runners, budgets: [] }, 80).split("\n\n")[0]).toBe(
      [
        "runs 3/4",
        "runner  waiting  busy  free  slots  last hour",
        "claude        2     3     1      4       78 %",
        "codex         0     0     1      2        0 %",
      ].join("\n"),
    );
  });

  it("says what is left of GitHub's API, as far as it is known", () => {
    const left = { limit: 5000, left: 4987, resetsAt: NOW };
    const budgets = [
      { ...UNKNOWN, rest: left, graphql: { ...left, left: 4900 } },
      { ...UNKNOWN, installation: 8 },
    ];
    const text = renderStatus({ ...IDLE, budgets }, 80);
    expect(text).toContain(
      "GitHub API left this hour: 4987/5000 calls, 4900/5000 GraphQL points, 480/500 content writes\n" +
        "GitHub API left this hour: 480/500 content writes",
    );
  });

  it.each<{ held: readonly HeldBack[]; asked?: Instant; line: string }>([
    {
      held: [
        { kind: "card", count: 1, oldestAt: instant(NOW - 2000) },
        { kind: "comment", count: 2, oldestAt: instant(NOW - 41_000) },
      ],
      asked: instant(NOW + 60_000),
      line: "3 writes wait: 1 card, 2 comments; the oldest for 41 s; GitHub asked to wait until 22:14 UTC",
    },
    {
      held: [{ kind: "pull-request", count: 1, oldestAt: NOW }],
      line: "1 write waits: 1 pull request; the oldest for 0 s",
    },
    { held: [], asked: NOW, line: "GitHub asked to wait until 22:13 UTC" },
  ])("says what is held back: $line", ({ held, asked, line }) => {
    const budgets = [{ ...UNKNOWN, heldBack: held, askedUntil: asked }];
    expect(renderStatus({ ...IDLE, budgets }, 80).split("\n")[4]).toBe(line);
  });

  it("says nothing of what is held back when nothing is", () => {
    const text = renderStatus({ ...IDLE, budgets: [UNKNOWN] }, 80);
    expect(text.split("\n")[4]).toBe("");
  });
});
