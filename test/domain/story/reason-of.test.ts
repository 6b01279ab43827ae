import { describe, expect, it } from "vitest";
import { instant } from "../../../src/domain/ids.ts";
import { reasonOf, whyAt } from "../../../src/domain/story/reason-of.ts";
import { NOW, aTask } from "../../support/builders.ts";

const IN_A_MINUTE = instant(NOW + 60_000);

describe("the time at which a task goes on by itself", () => {
  it.each(["waiting", "review"] as const)("is told while it is %s", (state) => {
    const task = aTask({ state, reason: "because", notBefore: IN_A_MINUTE });
    expect(whyAt(reasonOf({ task, run: undefined, entry: undefined }), NOW)).toBe(
      "because (in 1 min)",
    );
  });

  it.each(["blocked", "cancelled", "failed", "landed"] as const)(
    "is none of a task that is %s, whatever pause it had before",
    (state) => {
      const task = aTask({ state, reason: "because", notBefore: IN_A_MINUTE });
      expect(whyAt(reasonOf({ task, run: undefined, entry: undefined }), NOW)).toBe("because");
    },
  );
});
