import { describe, expect, it } from "vitest";
import { reporterOf } from "../../src/doctor/decide/finding.ts";
import {
  isSound,
  jsonOfFindings,
  renderSection,
  renderSummary,
} from "../../src/doctor/render-findings.ts";

const say = reporterOf({ check: "git" });
const OK = say.ok("git 2.45.1");
const WARNING = reporterOf({ check: "labels", about: "acme/shop" }).warning("no label", "make it");
const PROBLEM = say.problem("git is too old", "install a newer one");
const SKIPPED = say.skipped("the rest: once git works");

describe("renderSection", () => {
  it("puts what to do below what is wrong", () => {
    const findings = [OK, WARNING, PROBLEM, SKIPPED];
    expect(renderSection({ title: "This machine", findings })).toMatchInlineSnapshot(`
      "This machine
        ✓ git 2.45.1
        ! no label
            → make it
        ✗ git is too old
            → install a newer one
        - the rest: once git works"
    `);
  });
});

describe("renderVerdict", () => {
  it("says what it comes to", () => {
    expect(renderSummary([OK])).toBe("everything is in order");
    expect(renderSummary([OK, WARNING])).toBe("it works; 1 warning");
    expect(renderSummary([PROBLEM, PROBLEM, WARNING, SKIPPED])).toBe("2 problems, 1 warning");
  });

  it("takes warnings for sound and problems not", () => {
    expect([isSound([OK, WARNING]), isSound([OK, PROBLEM])]).toEqual([true, false]);
  });
});

describe("jsonOfFindings", () => {
  it("has the same members for every finding", () => {
    expect(jsonOfFindings([OK, WARNING], ["made the label a"])).toMatchInlineSnapshot(`
      "{
        "ok": true,
        "findings": [
          {
            "check": "git",
            "about": null,
            "level": "ok",
            "message": "git 2.45.1",
            "fix": null
          },
          {
            "check": "labels",
            "about": "acme/shop",
            "level": "warning",
            "message": "no label",
            "fix": "make it"
          }
        ],
        "made": [
          "made the label a"
        ]
      }"
    `);
  });
});
