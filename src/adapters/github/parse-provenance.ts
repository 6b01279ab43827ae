import type { LabelNames } from "../../config/label-names.ts";
import { ROLES } from "../../config/label-names.ts";
import type { ColumnRole } from "../../domain/board.ts";
import type { Deed, Edit, Move, Provenance } from "../../domain/provenance.ts";
import type { ActorNode, RecordNode, TimelineNode } from "./provenance-query.ts";

/** The board that is watched, and who the app is there. */
export type WatchedBoard = {
  /** The app's own login, without `[bot]`. */
  readonly self: string;
} & (
  | { readonly columns: LabelNames; readonly project: number; readonly owner: string }
  | { readonly labels: LabelNames }
);

/** What the records say, in our words. The app's own deeds prove nothing. */
export function parseProvenance(record: RecordNode, board: WatchedBoard): Provenance {
  const nodes = record.timelineItems.nodes ?? [];
  const items = nodes.filter((node) => node !== null);
  return {
    moves: "labels" in board ? labelMoves(items, board) : cardMoves(items, board),
    edits: [...textEdits(record, board), ...otherEdits(items, board), ...unreadable(nodes)],
    completeSince: Math.max(textsCompleteSince(record), itemsCompleteSince(record)),
  };
}

type Of<B> = WatchedBoard & B;

function cardMoves(
  items: readonly TimelineNode[],
  board: Of<{ readonly columns: LabelNames; readonly project: number; readonly owner: string }>,
): readonly Move[] {
  return others(items, board).flatMap((node) => {
    const to = isOfProject(node) ? cardMove(node, board) : closing(node);
    return to === undefined ? [] : [{ ...deedOf(node), to }];
  });
}

/** Moves on any other board mean nothing here. Anybody may have a project of their own with the same number. */
function cardMove(
  { __typename, project, status = "" }: TimelineNode,
  board: { readonly columns: LabelNames; readonly project: number; readonly owner: string },
): Move["to"] | undefined {
  const isOurs =
    project?.number === board.project &&
    project.owner?.login?.toLowerCase() === board.owner.toLowerCase();
  if (!isOurs) return undefined;
  if (__typename === "AddedToProjectV2Event") return "added";
  if (__typename === "RemovedFromProjectV2Event") return "gone";
  return placeOf(ROLES.find((role) => board.columns[role] === status));
}

function isOfProject({ __typename }: TimelineNode): boolean {
  return __typename.includes("ProjectV2");
}

function closing({ __typename }: TimelineNode): Move["to"] | undefined {
  if (__typename === "ClosedEvent") return "closed";
  return __typename === "ReopenedEvent" ? "reopened" : undefined;
}

function placeOf(role: ColumnRole | undefined): Move["to"] {
  if (role === "ready") return "ready";
  return role === undefined || role === "done" ? "away" : "ours";
}

/** An issue leaves a board of labels when the last label of the board is off. */
function labelMoves(
  items: readonly TimelineNode[],
  board: Of<{ readonly labels: LabelNames }>,
): readonly Move[] {
  const held = new Set<ColumnRole>();
  return items.flatMap((node) => {
    const to = closing(node) ?? labelMove(node, held, board.labels);
    return to === undefined || isSelf(node.actor, board.self) ? [] : [{ ...deedOf(node), to }];
  });
}

function labelMove(
  node: TimelineNode,
  held: Set<ColumnRole>,
  labels: LabelNames,
): Move["to"] | undefined {
  const role = roleOfLabel(node, labels);
  if (role === undefined) return undefined;
  if (node.__typename === "LabeledEvent") {
    held.add(role);
    return placeOf(role);
  }
  held.delete(role);
  if (role === "ready") return "away";
  return held.size === 0 ? "gone" : undefined;
}

function roleOfLabel({ label }: TimelineNode, labels: LabelNames): ColumnRole | undefined {
  const name = label?.name.toLowerCase();
  return ROLES.find((role) => labels[role].toLowerCase() === name);
}

/** Every version of the text, and the last editor besides: no record of theirs is passed over. */
function textEdits(record: RecordNode, { self }: WatchedBoard): readonly Edit[] {
  const { editor, lastEditedAt, userContentEdits } = record;
  const last = lastEditedAt === null ? [] : [{ editor, editedAt: lastEditedAt }];
  const versions = (userContentEdits?.nodes ?? []).filter((node) => node !== null);
  return [...versions, ...last]
    .filter((edit) => !isSelf(edit.editor, self))
    .map((edit) => ({ ...deedOf({ actor: edit.editor, createdAt: edit.editedAt }), what: "text" }));
}

/** Labels of the board say where an issue is, not what is to be done. */
function otherEdits(items: readonly TimelineNode[], board: WatchedBoard): readonly Edit[] {
  return others(items, board).flatMap((node): readonly Edit[] => {
    switch (node.__typename) {
      case "LabeledEvent":
      case "UnlabeledEvent": {
        const ofBoard = "labels" in board && roleOfLabel(node, board.labels) !== undefined;
        return ofBoard ? [] : [{ ...deedOf(node), what: "labels" }];
      }
      case "RenamedTitleEvent":
        return [{ ...deedOf(node), what: "title" }];
      default:
        return [];
    }
  });
}

/** What GitHub does not show may have been an edit of anybody's, and is not younger than what follows it. */
function unreadable(nodes: readonly (TimelineNode | null)[]): readonly Edit[] {
  return nodes.flatMap((node, index): readonly Edit[] => {
    if (node !== null) return [];
    const next = nodes.slice(index).find((one) => one !== null);
    const at = next === undefined ? Infinity : Date.parse(next.createdAt);
    return [{ by: undefined, automated: false, at, what: "title" }];
  });
}

/** The two records of one edit need not have the same second. */
const SLACK_MS = 5_000;

function textsCompleteSince({ lastEditedAt, userContentEdits }: RecordNode): number {
  const nodes = userContentEdits?.nodes ?? [];
  const times = nodes.map((node) => Date.parse(node?.editedAt ?? ""));
  // GitHub lists the newest first; a version that is not shown has no time.
  if (!times.every((time, at) => time <= (times[at - 1] ?? Infinity))) return Infinity;
  const last = lastEditedAt === null ? -Infinity : Date.parse(lastEditedAt);
  // Versions that are not there were written by somebody.
  if (last > (times[0] ?? -Infinity) + SLACK_MS) return last;
  return (userContentEdits?.totalCount ?? 0) <= nodes.length ? -Infinity : Math.min(...times);
}

function itemsCompleteSince({ timelineItems: { pageInfo, nodes } }: RecordNode): number {
  if (nodes === null) return Infinity;
  if (!pageInfo.hasPreviousPage) return -Infinity;
  const oldest = nodes.find((node) => node !== null);
  return oldest === undefined ? Infinity : Date.parse(oldest.createdAt);
}

function others(items: readonly TimelineNode[], { self }: WatchedBoard): readonly TimelineNode[] {
  return items.filter(({ actor }) => !isSelf(actor, self));
}

function deedOf({
  actor,
  createdAt,
  wasAutomated = false,
}: Pick<TimelineNode, "actor" | "createdAt" | "wasAutomated">): Deed {
  return {
    by: actor?.login,
    automated: wasAutomated || actor?.__typename === "Bot",
    at: Date.parse(createdAt),
  };
}

/** A person may be called like the app: only a program is the app. */
function isSelf(actor: ActorNode | null, self: string): boolean {
  return actor?.__typename === "Bot" && actor.login.replace(/\[bot\]$/, "") === self;
}
