import { describe, expect, it } from "vitest";
import { operatorConfigSchema } from "../../../src/config/schema/operator-config.ts";
import { definitionsOf } from "../../../src/scheduler/slots/runner-definition.ts";

const OURS = { command: "/opt/ours/agent", env: ["KEY"] };

function definition(runner: object = {}, more: object = {}, variables: object = {}) {
  const operator = operatorConfigSchema.parse({
    runners: { ours: { ...OURS, ...runner } },
    ...more,
  });
  return definitionsOf(operator, { PATH: "/bin", KEY: "a", ...variables }).get("ours");
}

describe("definitionsOf", () => {
  it("stays the same where nothing changed that a run could meet with", () => {
    expect(definition()).toBe(definition());
    expect(definition({ slots: 7 }, { slots: 9 }, { OTHER: "x" })).toBe(definition());
  });

  it.each([
    [{ command: "/opt/ours/agent2" }, {}, {}],
    [{ env: ["KEY", "OTHER"] }, {}, {}],
    [{}, { readable: ["/opt/ours"] }, {}],
    [{}, { sandbox: "none" }, {}],
    [{}, {}, { KEY: "b" }],
    [{}, {}, { PATH: "/opt/bin" }],
  ])("is another one with %j, %j and %j", (runner, more, variables) => {
    expect(definition(runner, more, variables)).not.toBe(definition());
  });

  it("does not tell the values", () => {
    expect(definition({}, {}, { KEY: "secret" })).toMatch(/^[0-9a-f]{12}$/);
  });
});
