import { describe, expect, it } from "vitest";
import {
  departures,
  differencesFromDefaults,
  renderDifference,
} from "../../../src/config/repository/differences.ts";
import type { Reasons } from "../../../src/config/repository/differences.ts";
import { operatorConfigSchema } from "../../../src/config/schema/operator-config.ts";

const runners = { agent: { command: "make it so" } };

function differences(file: Readonly<Record<string, unknown>>, reasons: Reasons = {}) {
  return differencesFromDefaults(operatorConfigSchema.parse({ runners, ...file }), reasons);
}

describe("differencesFromDefaults", () => {
  it("finds nothing but the runners in a file that says nothing else", () => {
    expect(differences({})).toMatchObject([{ path: "runners.agent.command", value: "make it so" }]);
    expect(departures(differences({}))).toEqual([]);
  });

  it("does not count what is said and the default anyway", () => {
    const file = { launchDelay: 0, github: { pacing: "polite" }, readable: [] };
    expect(departures(differences(file))).toEqual([]);
  });

  it("gives both values, with the reason of the setting or of its group", () => {
    const file = { minFreeMemory: 0, retry: { backoff: "1s" }, readable: ["/opt"] };
    expect(departures(differences(file, { retry: "nobody waits", readable: "a tool" }))).toEqual([
      { path: "readable", value: ["/opt"], standard: [], reason: "a tool" },
      { path: "minFreeMemory", value: 0, standard: 512 * 2 ** 20, reason: undefined },
      { path: "retry.backoff", value: 1000, standard: 10_000, reason: "nobody waits" },
    ]);
  });

  it("looks into what is fixed for repositories, once for all of them", () => {
    const fixed = { limits: { review: 99 }, feedback: { quiet: "1s" }, verify: "make" };
    const file = { repositories: { "a/b": fixed, "a/c": fixed } };
    expect(departures(differences(file)).map(({ path }) => path)).toEqual([
      "repositories.*.feedback.quiet",
      "repositories.*.limits.review",
    ]);
  });

  it("leaves addresses, the folder, slots and verify to whoever runs it", () => {
    const file = {
      dataDir: "/d",
      slots: 8,
      server: { host: "::1", port: 0 },
      github: { apiUrl: "http://localhost:1", gitUrl: "http://localhost:1" },
      repositories: {
        "a/b": { verify: "make", limits: { parallel: 9 }, board: { project: 1 } },
        "a/c": { allowUnverified: true },
      },
    };
    expect(departures(differences(file))).toEqual([]);
    expect(differences(file).map(({ path }) => path)).toContain("repositories.*.limits.parallel");
  });
});

describe("renderDifference", () => {
  it("says what, instead of what, and why", () => {
    const pacing = { path: "github.pacing", value: "off", standard: "polite", reason: undefined };
    expect(renderDifference(pacing)).toBe('github.pacing "off" instead of "polite"');
    expect(renderDifference({ ...pacing, standard: undefined, reason: "asked for" })).toBe(
      'github.pacing "off" (asked for)',
    );
  });
});
