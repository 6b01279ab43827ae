import { describe, expect, it } from "vitest";
import type { Size } from "../../../src/domain/plan.ts";
import { routeOf } from "../../../src/scheduler/slots/routes.ts";
import { aRunner } from "../../support/pool.ts";

const routing = {
  defaultRunner: "claude",
  runners: {
    claude: aRunner({ fallback: ["codex"] }),
    codex: aRunner({ sizes: ["s", "m"], fallback: ["claude", "small"] }),
    small: aRunner({ sizes: ["s"] }),
  },
};

describe("routeOf", () => {
  it.each<[string, [string | undefined, Size | undefined], readonly string[]]>([
    ["the default and its stand-in", [undefined, undefined], ["claude", "codex"]],
    ["the one that the task names, whatever its size", ["small", "m"], ["small"]],
    ["the one for its size", [undefined, "m"], ["codex", "claude", "small"]],
    [
      "every one for its size, then their stand-ins",
      [undefined, "s"],
      ["codex", "small", "claude"],
    ],
    ["the default for a size that belongs to nobody", [undefined, "xl"], ["claude", "codex"]],
    ["a name that nobody has", ["nobody", undefined], ["nobody"]],
  ])("gives %s", (_, [runner, size], route) => {
    expect(routeOf({ runner, size }, routing)).toEqual(route);
  });
});
