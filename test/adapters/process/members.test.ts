import { describe, expect, it } from "vitest";
import { identityOf, membersOf, type Tree } from "../../../src/adapters/process/members.ts";
import type { ProcessRow } from "../../../src/adapters/process/process-table.ts";

const row = (pid: number, more: Partial<ProcessRow> = {}): ProcessRow => ({
  pid,
  parent: 1,
  group: pid,
  session: pid,
  name: "",
  started: "1",
  cpuTicks: 0,
  runId: undefined,
  ...more,
});
const tree: Tree = { root: { pid: 100, started: "1" }, runId: "run", seen: new Set() };
const pids = (rows: readonly ProcessRow[], of: Partial<Tree> = {}): readonly number[] =>
  membersOf(rows, { ...tree, ...of })
    .map(({ pid }) => pid)
    .sort((a, b) => a - b);

describe("membersOf", () => {
  it("finds the group, the session, the marked, and descendants of any of them", () => {
    const rows = [
      row(100),
      row(101, { group: 100 }),
      row(102, { session: 100 }),
      row(103, { runId: "run" }),
      row(105, { parent: 104 }),
      row(104, { parent: 103 }),
      row(200),
      row(201, { runId: "other" }),
    ];
    expect(pids(rows)).toEqual([100, 101, 102, 103, 104, 105]);
  });

  it("knows one again that cut every tie, but not a stranger with its number", () => {
    const seen = new Set([identityOf(row(300))]);
    expect(pids([row(300)], { seen })).toEqual([300]);
    expect(pids([row(300, { started: "2" })], { seen })).toEqual([]);
  });

  it("leaves a stranger alone that was given the number of the root", () => {
    const rows = [row(100, { started: "2" }), row(101, { group: 100 }), row(102, { runId: "run" })];
    expect(pids(rows)).toEqual([102]);
  });
});
