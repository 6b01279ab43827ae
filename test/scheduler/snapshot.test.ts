import { describe, expect, it } from "vitest";
import { taskIdOf } from "../../src/domain/ids.ts";
import { cyclesAcross } from "../../src/scheduler/snapshot.ts";
import { OTHER_REPO, REPO, aSpec, aTask } from "../support/builders.ts";

const here = (issue: number, ...dependsOn: readonly string[]) => task(REPO, issue, dependsOn);
const there = (issue: number, ...dependsOn: readonly string[]) =>
  task(OTHER_REPO, issue, dependsOn);

function task(repo: typeof REPO, issue: number, dependsOn: readonly string[]) {
  const ids = dependsOn.map((name) => {
    const at = name.indexOf("#");
    return taskIdOf(name.startsWith("other") ? OTHER_REPO : REPO, Number(name.slice(at + 1)));
  });
  return aTask({ repo, issue, spec: aSpec({ dependsOn: ids }) });
}

describe("cyclesAcross", () => {
  it("names the tasks of both repositories that wait for each other", () => {
    const cycles = cyclesAcross([here(1, "other#5"), here(2)], [there(5, "#1")]);
    expect([...cycles]).toEqual([
      [taskIdOf(REPO, 1), "dependency cycle across repositories among #1, octo/other#5"],
      [taskIdOf(OTHER_REPO, 5), "dependency cycle across repositories among octo/app#1, #5"],
    ]);
  });

  it("is silent about a chain and about a cycle within one repository", () => {
    expect(cyclesAcross([here(1, "other#5")], [there(5)]).size).toBe(0);
    expect(cyclesAcross([here(1, "#2"), here(2, "#1", "other#5")], [there(5)]).size).toBe(0);
  });
});
