import { describe, expect, it } from "vitest";
import { touchesConfig } from "../../src/webhooks/touches-config.ts";

const PATH = ".github/wavetrain.yml";

describe("touchesConfig", () => {
  it.each([
    ["changes it", "push", { commits: [{ modified: [PATH] }] }, true],
    ["adds it", "push", { commits: [{ added: ["a"] }, { added: [PATH] }] }, true],
    ["removes it", "push", { commits: [{ removed: [PATH] }] }, true],
    ["was forced", "push", { commits: [], forced: true }, true],
    ["has more commits than are listed", "push", { commits: Array(2048).fill({}) }, true],
    ["changes something else", "push", { commits: [{ modified: ["src/a.ts"] }] }, false],
    ["only makes a branch", "push", { commits: [] }, false],
    ["tells nothing", "push", {}, false],
    ["is another event", "issues", { commits: [{ modified: [PATH] }] }, false],
  ])("a push that %s", (_, event, payload, expected) => {
    expect(touchesConfig(event, payload, PATH)).toBe(expected);
  });
});
