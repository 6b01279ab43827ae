import { describe, expect, it } from "vitest";
import { touchesConfig } from "../../src/webhooks/touches-config.ts";

const PATH = ".github/wavetrain.yml";

const to = (branch: string) => ({
  ref: `refs/heads/${branch}`,
  repository: { default_branch: "main" },
});

describe("touchesConfig", () => {
  it.each([
    {
      what: "changes it",
      event: "push",
      payload: { commits: [{ modified: [PATH] }] },
      expected: true,
    },
    {
      what: "adds it",
      event: "push",
      payload: { commits: [{ added: ["a"] }, { added: [PATH] }] },
      expected: true,
    },
    {
      what: "removes it",
      event: "push",
      payload: { commits: [{ removed: [PATH] }] },
      expected: true,
    },
    { what: "was forced", event: "push", payload: { commits: [], forced: true }, expected: true },
    {
      what: "was forced on another branch",
      event: "push",
      payload: { ...to("wavetrain/1"), commits: [{ added: [PATH] }], forced: true },
      expected: false,
    },
    {
      what: "was forced on the default branch",
      event: "push",
      payload: { ...to("main"), commits: [], forced: true },
      expected: true,
    },
    {
      what: "has more commits than are listed",
      event: "push",
      payload: { commits: Array(2048).fill({}) },
      expected: true,
    },
    {
      what: "changes something else",
      event: "push",
      payload: { commits: [{ modified: ["src/a.ts"] }] },
      expected: false,
    },
    { what: "only makes a branch", event: "push", payload: { commits: [] }, expected: false },
    { what: "tells nothing", event: "push", payload: {}, expected: false },
    {
      what: "is another event",
      event: "issues",
      payload: { commits: [{ modified: [PATH] }] },
      expected: false,
    },
  ])("a push that $what: $expected", ({ event, payload, expected }) => {
    expect(touchesConfig(event, payload, PATH)).toBe(expected);
  });
});
