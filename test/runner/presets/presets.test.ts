import { describe, expect, it } from "vitest";
import { parseHostRule } from "../../../src/domain/network/network.ts";
import { PRESETS } from "../../../src/runner/presets/presets.ts";

describe("the provider of a preset", () => {
  it.each(Object.entries(PRESETS))("%s is named as an operator would name it", (_, preset) => {
    for (const host of preset.provider) expect(parseHostRule(host)).toMatchObject({ ok: true });
  });
});
