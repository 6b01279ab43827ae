import { describe, expect, it } from "vitest";
import { plannableTasks } from "../../../src/cli/plannable-tasks.ts";
import type { Span } from "../../../src/cli/try/result.ts";
import { speedUps } from "../../../src/cli/try/speed-up.ts";
import type { Measured } from "../../../src/cli/try/speed-up.ts";
import { parseTaskFile } from "../../../src/cli/task-file.ts";
import { prepareBacklog } from "../../../src/planner/backlog.ts";

function backlogOf(file: string) {
  const parsed = parseTaskFile(file, "tasks");
  if (!parsed.ok) throw new Error(parsed.error.join("\n"));
  return prepareBacklog(plannableTasks(parsed.value), { slots: 2 });
}

function span(id: string, kind: Span["kind"], [from, to]: readonly [number, number]) {
  return { id, task: id, kind, startedAt: from, finishedAt: to };
}

const DISJOINT = backlogOf("- { id: a, files: [a] }\n- { id: b, files: [b] }\n");
const BOTH: Measured = {
  spans: [
    span("a", "run", [0, 100]),
    span("b", "run", [50, 150]),
    span("a", "verify", [110, 130]),
    span("b", "verify", [160, 180]),
  ],
  pauses: new Map(),
  landed: new Set(["a", "b"]),
  wallTimeMs: 200,
};

describe("speedUps", () => {
  it("plays the measured runs on all slots and lands one after the other", () => {
    const { speedUp, speedUpAllowed } = speedUps(BOTH, { backlog: DISJOINT, slots: 2 });
    expect(speedUp).toBe(240 / 200);
    expect(speedUpAllowed).toBe(240 / 140);
  });

  it("allows less when the plan keeps tasks apart", () => {
    const backlog = backlogOf("- { id: a, files: [x] }\n- { id: b, files: [x] }\n");
    expect(speedUps(BOTH, { backlog, slots: 2 }).speedUpAllowed).toBe(1);
    expect(speedUps(BOTH, { backlog: DISJOINT, slots: 1 }).speedUpAllowed).toBe(240 / 220);
  });

  it("counts a further attempt with the pause before it", () => {
    const spans = [...BOTH.spans, span("b", "run", [190, 290])];
    const measured = { ...BOTH, spans, pauses: new Map([["b", [30]]]), wallTimeMs: 300 };
    const { speedUpAllowed } = speedUps(measured, { backlog: DISJOINT, slots: 2 });
    expect(speedUpAllowed).toBe(340 / 250);
  });

  it("is a number when nothing has happened", () => {
    const nothing = { spans: [], pauses: new Map(), landed: new Set<string>(), wallTimeMs: 0 };
    expect(speedUps(nothing, { backlog: DISJOINT, slots: 2 })).toEqual({
      speedUp: 0,
      speedUpAllowed: 0,
    });
  });
});
