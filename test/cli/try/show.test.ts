import { describe, expect, it } from "vitest";
import { renderFrame, renderLine } from "../../../src/cli/try/show.ts";
import type { TaskView } from "../../../src/cli/try/view.ts";
import { instant } from "../../../src/domain/ids.ts";

const NOW = instant(1_000_000);

function aView(members: Partial<TaskView> = {}): TaskView {
  return { title: "T", whereabouts: "waiting", why: "", since: NOW, until: undefined, ...members };
}

const MOMENT = { elapsedMs: 65_000, now: NOW };
const AT_WORK = {
  id: "a-long-name",
  title: "T",
  view: aView({ whereabouts: "running", why: "at work", since: instant(NOW - 61_000) }),
};
const ROWS = [
  { id: "short", title: "Not seen yet", view: undefined },
  AT_WORK,
  {
    id: "tested",
    title: "T",
    view: aView({ whereabouts: "verifying", why: "tests", since: instant(NOW - 4_000) }),
  },
  { id: "done", title: "T", view: aView({ whereabouts: "landed", why: "landed on main" }) },
  {
    id: "asked",
    title: "T",
    view: aView({
      whereabouts: "review",
      why: "changes are requested",
      until: instant(NOW + 100_000),
    }),
  },
];

describe("renderFrame", () => {
  it("has a line for each task with the time in its state, and one of counts", () => {
    expect(renderFrame(ROWS, { ...MOMENT, width: 80 }).split("\n")).toEqual([
      "· short        waiting               Not seen yet",
      "▶ a-long-name  running         1:01  at work",
      "▷ tested       verifying       0:04  tests",
      "✔ done         landed                landed on main",
      "◆ asked        in review       0:00  changes are requested (in 1 min 40 s)",
      "",
      "1:05  1 running, 1 verifying, 1 in review, 0 in the train, 1 of 5 landed",
    ]);
  });

  it("never writes past the edge of the terminal", () => {
    const view = aView({ why: "x".repeat(200) });
    const frame = renderFrame([{ id: "a", title: "", view }], { ...MOMENT, width: 30 });
    for (const line of frame.split("\n")) expect(line.length).toBeLessThanOrEqual(30);
  });

  it("prints no control characters of a task's words", () => {
    const view = aView({ why: "\u001b[31mred\u0007" });
    const frame = renderFrame([{ id: "\u001b[2J", title: "", view }], { ...MOMENT, width: 80 });
    expect(frame).not.toContain("\u001b");
    expect(frame).not.toContain("\u0007");
  });

  it("is a line of counts when there are no tasks", () => {
    expect(renderFrame([], { ...MOMENT, width: 80 })).toContain("0 of 0 landed");
  });
});

describe("renderLine", () => {
  it("says when, who, what and why", () => {
    const line = renderLine(AT_WORK, { ...MOMENT, elapsedMs: 1234 });
    expect(line).toBe("   1.2 s  a-long-name   running        at work");
  });

  it("says how long the state before was", () => {
    const view = aView({ whereabouts: "verifying", why: "tests", since: NOW });
    const line = renderLine({ ...AT_WORK, view }, MOMENT, AT_WORK.view);
    expect(line).toBe("  65.0 s  a-long-name   verifying      tests (after 61.0 s running)");
  });
});
