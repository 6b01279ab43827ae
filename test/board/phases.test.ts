import { describe, expect, it } from "vitest";
import { dependenciesOf } from "../../src/board/phases.ts";
import { taskIdOf } from "../../src/domain/ids.ts";
import { REPO, aSpec, aTask } from "../support/builders.ts";

const id = (issue: number) => taskIdOf(REPO, issue);
const PHASES = new Map([[id(10), [id(1), id(2)]]]);

function waitingFor(issue: number, dependsOn: readonly number[], parent?: number) {
  const spec = aSpec({
    dependsOn: dependsOn.map(id),
    parent: parent === undefined ? undefined : id(parent),
  });
  return dependenciesOf(aTask({ issue, spec }), PHASES);
}

describe("dependenciesOf", () => {
  it("takes every task of a phase for the phase", () => {
    expect(waitingFor(5, [10, 3])).toEqual([id(1), id(2), id(3)]);
  });

  it("leaves an issue alone that is no phase, and a task's own phase", () => {
    expect(waitingFor(5, [3])).toEqual([id(3)]);
    expect(waitingFor(1, [10], 10)).toEqual([id(10)]);
  });

  it("never makes a task wait for itself", () => {
    expect(waitingFor(1, [10])).toEqual([id(2)]);
  });
});
