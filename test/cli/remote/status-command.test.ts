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
  runners: [{ name: "claude", slots: 4, running: 0 }],
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
    expect(renderStatus({ ...IDLE, budgets }, 80).split("\n")[2]).toBe(line);
  });

  it("says nothing of what is held back when nothing is", () => {
    const text = renderStatus({ ...IDLE, budgets: [UNKNOWN] }, 80);
    expect(text.split("\n")[2]).toBe("");
  });
});
