import { describe, expect, it } from "vitest";
import { parseProvenance } from "../../../../src/adapters/github/reading/parse-provenance.ts";
import type {
  RecordNode,
  TimelineNode,
} from "../../../../src/adapters/github/reading/provenance-query.ts";
import { labelNames } from "../../../../src/config/repository/label-names.ts";
import { aConfig } from "../../../support/a-config.ts";

const { board } = aConfig();
const BOARD = { columns: board.columns, project: 3, owner: "acme", self: "wavetrain" };
const LABELS = { labels: labelNames({ ...board, kind: "labels" }), self: "wavetrain" };
const OURS = { number: 3, owner: { login: "Acme" } };
const person = (login: string) => ({ __typename: "User", login });
const bot = (login: string) => ({ __typename: "Bot", login });
const at = (second: number): string => new Date(second * 1000).toISOString();

const event = (
  __typename: string,
  actor: TimelineNode["actor"],
  more: Partial<TimelineNode> = {},
): TimelineNode => ({ __typename, createdAt: at(1), actor, ...more });

const moved = (
  actor: TimelineNode["actor"],
  second: number,
  more: Partial<TimelineNode> = {},
): TimelineNode =>
  event("ProjectV2ItemStatusChangedEvent", actor, {
    status: "Ready",
    project: OURS,
    wasAutomated: false,
    createdAt: at(second),
    ...more,
  });

function record(
  nodes: readonly (TimelineNode | null)[],
  more: Partial<RecordNode> = {},
  hasPreviousPage = false,
): RecordNode {
  return {
    lastEditedAt: null,
    editor: null,
    userContentEdits: { totalCount: 0, nodes: [] },
    timelineItems: { nodes, pageInfo: { hasPreviousPage } },
    ...more,
  };
}

const told = (node: RecordNode, watched: Parameters<typeof parseProvenance>[1] = BOARD) =>
  parseProvenance(node, watched).moves.map(({ to, by }) => `${to} by ${by ?? "?"}`);

describe("parseProvenance", () => {
  it("tells who moved the card where on this board, and of no other", () => {
    const elsewhere = { number: 3, owner: { login: "eve" } };
    const nodes = [
      event("AddedToProjectV2Event", person("zoe"), { project: OURS }),
      moved(person("ann"), 2),
      moved(person("bob"), 3, { status: "In progress" }),
      moved(person("cat"), 4, { status: "Backlog" }),
      moved(person("dan"), 5, { status: "Done" }),
      moved(person("dan"), 6, { status: "" }),
      moved(person("eve"), 7, { project: { ...OURS, number: 9 } }),
      moved(person("eve"), 7, { project: elsewhere }),
      moved(person("eve"), 7, { project: { number: 3 } }),
      moved(person("eve"), 7, { project: null }),
      event("AddedToProjectV2Event", person("eve"), { project: elsewhere }),
      event("RemovedFromProjectV2Event", person("eve"), { project: elsewhere }),
      event("RemovedFromProjectV2Event", person("fay"), { project: OURS }),
      event("ClosedEvent", person("gus")),
      event("ReopenedEvent", person("hal")),
    ];
    expect(told(record(nodes))).toEqual([
      "added by zoe",
      "ready by ann",
      "ours by bob",
      "away by cat",
      "away by dan",
      "away by dan",
      "gone by fay",
      "closed by gus",
      "reopened by hal",
    ]);
  });

  it("leaves out what the app did itself, and takes nobody for the app who is only called so", () => {
    const nodes = [
      moved(person("ann"), 1),
      moved(bot("wavetrain"), 2),
      moved(bot("wavetrain[bot]"), 3),
      moved(person("wavetrain"), 4),
    ];
    expect(told(record(nodes))).toEqual(["ready by ann", "ready by wavetrain"]);
  });

  it("marks what a rule of the board or another program did", () => {
    const nodes = [moved(person("ann"), 1, { wasAutomated: true }), moved(bot("x"), 1)];
    const { moves } = parseProvenance(record(nodes), BOARD);
    expect(moves.map(({ automated }) => automated)).toEqual([true, true]);
  });

  it("reads moves from labels on a board of labels, and nobody's card", () => {
    const label = (what: string, login: string, name: string): TimelineNode =>
      event(`${what}Event`, login === "app" ? bot("wavetrain") : person(login), {
        label: { name },
      });
    const nodes = [
      label("Labeled", "zoe", "blocked"),
      label("Labeled", "ann", "Ready"),
      label("Unlabeled", "ann", "blocked"),
      label("Labeled", "app", "in-progress"),
      label("Unlabeled", "app", "ready"),
      label("Labeled", "eve", "bug"),
      label("Unlabeled", "eve", "in-progress"),
      label("Labeled", "bob", "ready"),
      label("Unlabeled", "bob", "ready"),
      label("Labeled", "bob", "done"),
      moved(person("ann"), 6),
    ];
    expect(told(record(nodes), LABELS)).toEqual([
      "ours by zoe",
      "ready by ann",
      "gone by eve",
      "ready by bob",
      "away by bob",
      "away by bob",
    ]);
    const { edits } = parseProvenance(record(nodes), LABELS);
    expect(edits.map(({ what, by }) => `${what} by ${by ?? "?"}`)).toEqual(["labels by eve"]);
  });

  it("lists every edit of text, title and labels, but not the app's own", () => {
    const nodes = [
      event("LabeledEvent", person("ann")),
      event("UnlabeledEvent", person("bob")),
      event("RenamedTitleEvent", person("eve")),
      event("LabeledEvent", bot("wavetrain")),
    ];
    const versions = ["zoe", "eve", "ann"].map((login, index) => ({
      editor: person(login),
      editedAt: at(9 - index),
    }));
    const own = { editor: bot("wavetrain"), editedAt: at(1) };
    const text = { lastEditedAt: at(9), editor: person("zoe") };
    const userContentEdits = { totalCount: 4, nodes: [...versions, own] };
    const { edits, completeSince } = parseProvenance(
      record(nodes, { ...text, userContentEdits }),
      BOARD,
    );
    expect(edits.map(({ what, by }) => `${what} by ${by ?? "?"}`)).toEqual([
      "text by zoe",
      "text by eve",
      "text by ann",
      "text by zoe",
      "labels by ann",
      "labels by bob",
      "title by eve",
    ]);
    expect(completeSince).toBe(-Infinity);
  });

  it("keeps an edit by an account that is gone, and takes what it cannot see for one", () => {
    const nodes = [null, moved(person("ann"), 5), null];
    const versions = [{ editor: null, editedAt: at(9) }];
    const { edits } = parseProvenance(
      record(nodes, { lastEditedAt: at(9), userContentEdits: { totalCount: 1, nodes: versions } }),
      BOARD,
    );
    const unknown = { by: undefined, automated: false };
    expect(edits).toEqual([
      { ...unknown, at: 9000, what: "text" },
      { ...unknown, at: 9000, what: "text" },
      { ...unknown, at: 5000, what: "title" },
      { ...unknown, at: Infinity, what: "title" },
    ]);
  });

  describe("says since when nothing is missing", () => {
    const version = (second: number) => ({ editor: person("eve"), editedAt: at(second) });
    const since = (node: RecordNode) => parseProvenance(node, BOARD).completeSince;
    const edits = (totalCount: number, ...seconds: readonly number[]): Partial<RecordNode> => ({
      lastEditedAt: at(seconds[0] ?? 1),
      userContentEdits: { totalCount, nodes: seconds.map(version) },
    });

    it.each<[string, RecordNode, number]>([
      ["the whole history", record([], edits(2, 9, 4)), -Infinity],
      ["the newest versions", record([], edits(99, 9, 4)), 4000],
      ["versions in another order", record([], edits(99, 4, 9)), Infinity],
      ["a count without versions", record([], edits(99)), 1000],
      [
        "a version that is not shown",
        record([], { userContentEdits: { totalCount: 2, nodes: [version(9), null] } }),
        Infinity,
      ],
      ["an edit without a version", record([], { ...edits(1, 4), lastEditedAt: at(90) }), 90_000],
      ["no list at all", record([], { userContentEdits: null, lastEditedAt: at(9) }), 9000],
      ["no list and no edit", record([], { userContentEdits: null }), -Infinity],
      ["the newest events", record([null, moved(person("ann"), 7)], {}, true), 7000],
      ["no event of many", record([], {}, true), Infinity],
    ])("%s", (_, node, expected) => {
      expect(since(node)).toBe(expected);
    });
  });
});
