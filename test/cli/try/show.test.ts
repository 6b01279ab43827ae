import { describe, expect, it } from "vitest";
import { renderFrame, renderLine } from "../../../src/cli/try/show.ts";
import { aTask } from "../../support/builders.ts";

const ROWS = [
  { id: "short", title: "Not seen yet", task: undefined },
  { id: "a-long-name", title: "T", task: aTask({ state: "running", reason: "at work" }) },
  { id: "done", title: "T", task: aTask({ state: "landed", reason: "landed on main" }) },
  { id: "asked", title: "T", task: aTask({ state: "review", reason: "#1 waits" }) },
];

describe("renderFrame", () => {
  it("has a line for each task and one of counts", () => {
    const lines = renderFrame(ROWS, { elapsedMs: 65_000, width: 80 }).split("\n");
    expect(lines).toHaveLength(6);
    expect(lines[0]).toMatch(/^· short {8}waiting {3}Not seen yet$/);
    expect(lines[1]).toMatch(/^▶ a-long-name {2}running {3}at work$/);
    expect(lines.at(-1)).toContain("1 running, 1 in review, 1 of 4 landed");
  });

  it("never writes past the edge of the terminal", () => {
    const task = aTask({ reason: "x".repeat(200) });
    const frame = renderFrame([{ id: "a", title: "", task }], { elapsedMs: 0, width: 40 });
    for (const line of frame.split("\n").slice(0, -1)) expect(line.length).toBeLessThanOrEqual(40);
  });

  it("prints no control characters of a task's words", () => {
    const task = aTask({ reason: "\u001b[31mred\u0007" });
    const frame = renderFrame([{ id: "\u001b[2J", title: "", task }], { elapsedMs: 0, width: 80 });
    expect(frame).not.toContain("\u001b");
    expect(frame).not.toContain("\u0007");
  });

  it("is a line of counts when there are no tasks", () => {
    expect(renderFrame([], { elapsedMs: 0, width: 80 })).toContain("0 of 0 landed");
  });
});

describe("renderLine", () => {
  it("says when, who, what and why", () => {
    expect(renderLine(ROWS[1]!, 1234)).toBe("   1.2 s  a-long-name   running    at work");
  });
});
