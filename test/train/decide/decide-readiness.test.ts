import { describe, expect, it } from "vitest";
import type { CheckFact, PullReadiness } from "../../../src/ports/github.ts";
import { findObstacle, nextLookAtChecks } from "../../../src/train/decide/decide-readiness.ts";
import { NOW, aPull, aReading, shaOf } from "../../support/builders.ts";
import { aPolicy, aSnapshot } from "../snapshot.ts";

const PULL = aPull({ number: 11, head: shaOf(7) });
const CI = { name: "CI", app: undefined };
const LINT = { name: "lint", app: 15_368 };

function judged(
  checks: readonly CheckFact[],
  more: Partial<PullReadiness> = {},
  policy = aPolicy({ asksForChecks: true, required: [CI, LINT] }),
) {
  const readiness = new Map([[11, { head: shaOf(7), checks, behind: false, ...more }]]);
  const snapshot = aSnapshot({ policy, readiness, reading: aReading({ pulls: [PULL] }) });
  return { reason: findObstacle(PULL, snapshot)?.reason, again: nextLookAtChecks(snapshot) };
}

const green = (name: string, app?: number): CheckFact => ({ name, app, state: "success" });

describe("findObstacle", () => {
  it("is none when every required check is there, by the right app", () => {
    const ready = judged([green("CI"), green("lint", 15_368)]);
    expect(ready).toEqual({ reason: undefined, again: undefined });
  });

  it("names what is missing, pending or by another app, and is looked at again", () => {
    const none = judged([]);
    expect(none.reason).toBe("waits for the required checks CI, lint on the pull request");
    expect(none.again).toBe(NOW + 60_000);
    const other = judged([green("CI"), green("lint", 1)]);
    expect(other.reason).toBe("waits for the required check lint on the pull request");
    const pending = judged([{ ...green("CI"), state: "pending" }, green("lint", 15_368)]);
    expect(pending.reason).toBe("waits for the required check CI on the pull request");
  });

  it("takes checks of another head for none", () => {
    const old = judged([green("CI"), green("lint", 15_368)], { head: shaOf(6) });
    expect(old.reason).toBe("waits for the required checks CI, lint on the pull request");
  });

  it("says which failed, and waits for nothing then", () => {
    const failed = judged([{ ...green("CI"), state: "failure" }]);
    expect(failed).toEqual({ reason: "#11 has failed the required check CI", again: undefined });
  });

  it("says that the branch is behind once its checks are green", () => {
    const behind = judged([green("CI"), green("lint", 15_368)], { behind: true });
    expect(behind.reason).toContain("#11 is behind main");
    expect(behind.again).toBeUndefined();
  });

  it.each([
    ["unsigned", "takes signed commits only"],
    ["merge-commit", "wants a linear history"],
  ] as const)("knows at once that the rules forbid it: %s", (forbids, words) => {
    expect(judged([], {}, aPolicy({ forbids })).reason).toContain(words);
  });

  it("asks nothing where no rule does", () => {
    expect(judged([], { behind: true }, aPolicy()).reason).toBeUndefined();
  });
});
