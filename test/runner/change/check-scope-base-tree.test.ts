import { describe, expect, it } from "vitest";
import { checkScope } from "../../../src/runner/change/check-scope.ts";
import { aConfig } from "../../support/a-config.ts";
import { aSpec, aTask } from "../../support/builders.ts";

const claiming = (issue: number, pattern: string) =>
  aTask({ issue, state: "running", spec: aSpec({ claims: [{ mode: "write", pattern }] }) });

function ask(paths: readonly string[], directories: readonly string[], scope = "reject") {
  const task = claiming(1, "lib/chart.js");
  const tasks = [task, claiming(2, "lib/table.js")];
  const config = aConfig({ scope });
  return checkScope({ task, paths, tasks, holds: [], config, directories: new Set(directories) });
}

describe("checkScope", () => {
  it("takes a claim for a directory where the base has one of that name", () => {
    expect(ask(["lib/chart.js/a.md"], ["lib", "lib/chart.js"]).kind).toBe("accepted");
    expect(ask(["lib/chart.js/a.md"], ["lib"])).toEqual({
      kind: "refused",
      outside: ["lib/chart.js/a.md"],
    });
  });

  it("reads the claims of others in the same way", () => {
    expect(ask(["lib/table.js/a.ts"], ["lib/table.js"], "extend").kind).toBe("refused");
  });
});
