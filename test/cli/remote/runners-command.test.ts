import { describe, expect, it } from "vitest";
import { renderRunners } from "../../../src/cli/remote/runners-command.ts";
import { instant } from "../../../src/domain/ids.ts";

const AT = instant(Date.parse("2026-01-05T14:03:00Z"));
const WELL = { name: "codex", slots: 4, busy: 1, paused: null, trial: false, lastFailure: null };

describe("the runners", () => {
  it.each([
    [WELL, "codex    1/4  takes runs"],
    [{ ...WELL, trial: true }, "codex    1/4  on trial: one run at a time until one works"],
    [
      { ...WELL, paused: { since: AT, until: AT, because: "its provider's limit" } },
      "codex    1/4  paused since 2026-01-05 14:03 UTC until 2026-01-05 14:03 UTC: its provider's limit",
    ],
    [
      { ...WELL, paused: { since: AT, until: null, because: "it is not logged in" } },
      "codex    1/4  paused since 2026-01-05 14:03 UTC until somebody lifts it: it is not logged in",
    ],
  ])("are shown with what pauses them: %j", (runner, line) => {
    expect(renderRunners({ at: AT, runners: [runner] }, 120).split("\n")).toEqual([
      "runner  busy",
      line.replace(/^codex {4}/, "codex    "),
    ]);
  });

  it("are shown with their last failure and where its log is", () => {
    const lastFailure = {
      id: "r",
      task: "acme/shop#3",
      runner: "codex",
      attempt: 1,
      outcome: "failed" as const,
      what: "",
      tail: ["no such model"],
      logPath: "/data/logs/r.log",
      finishedAt: AT,
      host: undefined,
    };
    const text = renderRunners({ at: AT, runners: [{ ...WELL, lastFailure }] }, 120);
    expect(text).toContain(
      "\n\nacme/shop#3: the last run of codex ended as failed; log: /data/logs/r.log\n  | no such model",
    );
  });
});
