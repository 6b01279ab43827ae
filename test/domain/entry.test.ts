import { describe, expect, it } from "vitest";
import { entryMayFollow, isOpenEntry } from "../../src/domain/entry.ts";
import type { EntryState } from "../../src/domain/entry.ts";

const STATES: readonly EntryState[] = [
  "queued",
  "verifying",
  "verified",
  "landing",
  "landed",
  "rejected",
  "superseded",
];

describe("entryMayFollow", () => {
  it.each<{ from: EntryState; to: readonly EntryState[] }>([
    { from: "queued", to: ["queued", "verifying", "rejected", "superseded", "landed"] },
    {
      from: "verifying",
      to: ["verifying", "verified", "rejected", "queued", "superseded", "landed"],
    },
    { from: "verified", to: ["landing", "queued", "superseded", "landed"] },
    { from: "landing", to: ["landed", "queued", "rejected", "superseded"] },
    { from: "landed", to: [] },
    { from: "rejected", to: [] },
    { from: "superseded", to: [] },
  ])("lets $from become nothing but $to", ({ from, to }) => {
    expect(STATES.filter((next) => entryMayFollow(from, next)).toSorted()).toEqual(to.toSorted());
  });

  it("lets nothing land that was not verified, except what someone else merged", () => {
    const before = STATES.filter((from) => entryMayFollow(from, "landing"));
    expect(before).toEqual(["verified"]);
  });
});

describe("isOpenEntry", () => {
  it("holds until the entry has landed or was ended", () => {
    expect(STATES.filter(isOpenEntry)).toEqual(["queued", "verifying", "verified", "landing"]);
  });
});
