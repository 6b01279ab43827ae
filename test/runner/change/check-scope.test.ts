import { describe, expect, it } from "vitest";
import type { Claim } from "../../../src/domain/claim/claim.ts";
import type { ClaimHold, Task, TaskState } from "../../../src/domain/task.ts";
import { checkScope } from "../../../src/runner/change/check-scope.ts";
import type { ScopeAnswer } from "../../../src/runner/change/check-scope.ts";
import { aConfig } from "../../support/a-config.ts";
import { aHold, aSpec, aTask } from "../../support/builders.ts";

const writes = (pattern: string): Claim => ({ mode: "write", pattern });
const reads = (pattern: string): Claim => ({ mode: "read", pattern });

function claiming(issue: number, state: TaskState, ...claims: readonly Claim[]): Task {
  return aTask({ issue, state, spec: aSpec({ claims }) });
}

const TASK = claiming(1, "running", writes("src/list.ts"));

function ask(
  paths: readonly string[],
  {
    scope = "extend",
    others = [],
    task = TASK,
    holds = [],
  }: { scope?: string; others?: Task[]; task?: Task; holds?: ClaimHold[] } = {},
): ScopeAnswer {
  return checkScope({
    task,
    paths,
    tasks: [task, ...others],
    holds,
    config: aConfig({ scope }),
    directories: new Set(),
  });
}

describe("checkScope", () => {
  it("minds what another task holds rather than what it declared", () => {
    const other = claiming(2, "running", writes("docs/**"));
    const claims = [writes("docs/**"), writes("src/new.ts")];
    const holds = [aHold({ task: other.id, claims })];
    expect(ask(["src/new.ts"], { others: [other] }).kind).toBe("accepted");
    const refused = { kind: "refused", outside: ["src/new.ts"] };
    expect(ask(["src/new.ts"], { others: [other], holds })).toEqual(refused);
  });

  it.each(["extend", "reject", "allow"])("accepts what was declared under scope: %s", (scope) => {
    expect(ask(["src/list.ts"], { scope })).toEqual({ kind: "accepted", outside: [] });
  });

  it.each([
    { scope: "extend", kind: "accepted" },
    { scope: "reject", kind: "refused" },
    { scope: "allow", kind: "accepted" },
  ])("has $kind what nobody declared under scope: $scope", ({ scope, kind }) => {
    expect(ask(["src/list.ts", "src/new.ts"], { scope })).toEqual({
      kind,
      outside: ["src/new.ts"],
    });
  });

  it.each<{ state: TaskState; kind: string }>([
    { state: "running", kind: "refused" },
    { state: "review", kind: "refused" },
    { state: "queued", kind: "refused" },
    { state: "waiting", kind: "accepted" },
    { state: "blocked", kind: "accepted" },
    { state: "landed", kind: "accepted" },
    { state: "failed", kind: "accepted" },
  ])("has $kind what a $state task claims", ({ state, kind }) => {
    const others = [claiming(2, state, writes("src/new.ts"))];
    expect(ask(["src/new.ts"], { others }).kind).toBe(kind);
  });

  it("refuses what another task relies on unchanged", () => {
    const others = [claiming(2, "running", reads("src/new.ts"))];
    expect(ask(["src/new.ts"], { others }).kind).toBe("refused");
  });

  it("names only the paths that are taken", () => {
    const others = [claiming(2, "running", writes("src/taken.ts"))];
    expect(ask(["src/free.ts", "src/taken.ts"], { others })).toEqual({
      kind: "refused",
      outside: ["src/taken.ts"],
    });
  });

  it("takes a read claim for no permission to write", () => {
    const task = claiming(1, "running", writes("src/list.ts"), reads("src/base.ts"));
    expect(ask(["src/base.ts"], { task, scope: "reject" }).kind).toBe("refused");
  });

  it("refuses an undeclared barrier file while anybody else is at work, and takes it when nobody is", () => {
    const others = [claiming(2, "review", writes("docs/a.md"))];
    expect(ask([".gitignore"], { others })).toEqual({ kind: "refused", outside: [".gitignore"] });
    expect(ask([".gitignore"])).toEqual({ kind: "accepted", outside: [".gitignore"] });
  });

  it("lets everyone write shared files", () => {
    expect(ask(["package-lock.json"], { scope: "reject" })).toEqual({
      kind: "accepted",
      outside: [],
    });
  });

  it("lets a task that declared nothing write anything: it runs alone", () => {
    const task = claiming(1, "running");
    expect(ask(["a.ts", "b/c.ts"], { task, scope: "reject" })).toEqual({
      kind: "accepted",
      outside: [],
    });
  });
});
