import { describe, expect, it } from "vitest";
import { parseProvenance } from "../../../src/adapters/github/parse-provenance.ts";
import type { RecordNode, TimelineNode } from "../../../src/adapters/github/provenance-query.ts";

const GESTURE = { column: "Ready", project: 3, owner: "acme", self: "wavetrain" };
const person = (login: string) => ({ __typename: "User", login });
const bot = (login: string) => ({ __typename: "Bot", login });
const at = (second: number): string => new Date(second * 1000).toISOString();

function moved(
  actor: TimelineNode["actor"],
  second: number,
  more: Partial<TimelineNode> = {},
): TimelineNode {
  return {
    __typename: "ProjectV2ItemStatusChangedEvent",
    createdAt: at(second),
    status: "Ready",
    project: { number: 3 },
    wasAutomated: false,
    actor,
    ...more,
  };
}

const event = (__typename: string, login: string, second: number): TimelineNode => ({
  __typename,
  createdAt: at(second),
  actor: person(login),
});

function record(nodes: readonly (TimelineNode | null)[], more: Partial<RecordNode> = {}) {
  return { lastEditedAt: null, editor: null, timelineItems: { nodes }, ...more };
}

describe("parseProvenance", () => {
  it("takes the last move to the ready column of this board", () => {
    const nodes = [
      moved(person("ann"), 1),
      moved(person("bob"), 2),
      moved(person("eve"), 3, { status: "Done" }),
      moved(person("eve"), 4, { project: { number: 9 } }),
      moved(person("eve"), 4, { project: { number: 3, owner: { login: "eve" } } }),
      null,
    ];
    const { madeReady } = parseProvenance(record(nodes), GESTURE);
    expect(madeReady).toEqual({ by: "bob", automated: false, at: 2000 });
  });

  it("looks behind the moves that the app made itself", () => {
    const nodes = [
      moved(person("ann"), 1),
      moved(bot("wavetrain"), 2),
      moved(bot("wavetrain[bot]"), 3),
    ];
    expect(parseProvenance(record(nodes), GESTURE).madeReady?.by).toBe("ann");
  });

  it("does not take a person who is called like the app for the app", () => {
    const nodes = [moved(person("ann"), 1), moved(person("wavetrain"), 2)];
    expect(parseProvenance(record(nodes), GESTURE).madeReady?.by).toBe("wavetrain");
  });

  it("marks what a rule of the board or another program did", () => {
    const rule = moved(person("ann"), 1, { wasAutomated: true });
    expect(parseProvenance(record([rule]), GESTURE).madeReady?.automated).toBe(true);
    expect(parseProvenance(record([moved(bot("x"), 1)]), GESTURE).madeReady?.automated).toBe(true);
  });

  it("takes who added the card when it was never moved", () => {
    const added = event("AddedToProjectV2Event", "ann", 5);
    expect(parseProvenance(record([added]), GESTURE).madeReady?.by).toBe("ann");
    const elsewhere = moved(person("eve"), 6, { status: "Backlog" });
    expect(parseProvenance(record([added, elsewhere]), GESTURE).madeReady).toBeUndefined();
  });

  it("takes who put the label on, on a board of labels, and nobody's card", () => {
    const labelled = (login: string, second: number, name: string): TimelineNode => ({
      ...event("LabeledEvent", login, second),
      label: { name },
    });
    const gesture = { label: "ready", self: "wavetrain" };
    const nodes = [labelled("ann", 1, "Ready"), labelled("eve", 2, "bug")];
    expect(parseProvenance(record(nodes), gesture).madeReady?.by).toBe("ann");
    const card = [event("AddedToProjectV2Event", "ann", 5), moved(person("ann"), 6)];
    expect(parseProvenance(record(card), gesture).madeReady).toBeUndefined();
  });

  it("lists edits of text, title and labels, but not the app's own", () => {
    const nodes = [
      event("LabeledEvent", "ann", 1),
      event("UnlabeledEvent", "bob", 2),
      event("RenamedTitleEvent", "eve", 3),
      { ...event("LabeledEvent", "wavetrain", 4), actor: bot("wavetrain") },
    ];
    const text = { lastEditedAt: at(9), editor: person("zoe") };
    const { edits } = parseProvenance(record(nodes, text), GESTURE);
    expect(edits.map(({ what, by }) => `${what} by ${by ?? "?"}`)).toEqual([
      "text by zoe",
      "labels by ann",
      "labels by bob",
      "title by eve",
    ]);
  });

  it("keeps an edit by an account that is gone", () => {
    const { edits } = parseProvenance(record([], { lastEditedAt: at(9) }), GESTURE);
    expect(edits).toEqual([{ by: undefined, automated: false, at: 9000, what: "text" }]);
  });
});
