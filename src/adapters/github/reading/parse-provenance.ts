import { ROLES } from "../../../config/repository/label-names.ts";
import type { LabelNames } from "../../../config/repository/label-names.ts";
import type { ColumnRole } from "../../../domain/board.ts";
import type { Deed, Edit, Move, Provenance } from "../../../domain/provenance.ts";
import type { ActorNode, RecordNode, TimelineNode } from "./provenance-query.ts";

/** It says which board is watched and which login the app has there. */
export type WatchedBoard = {
  /** This is the app's own login without `[bot]`. */
  readonly self: string;
} & (
  | { readonly columns: LabelNames; readonly project: number; readonly owner: string }
  | { readonly labels: LabelNames }
);

/** Translates GitHub's records. Deeds of the app itself are left out because they prove nothing. */
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

/** Moves on any other board mean nothing here. The owner is compared because anybody may have a project with the same number. */
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

/** An issue leaves a board of labels when its last label of the board is taken off. */
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

/** Lists every version of the text and also the last edit, because either record may lack an edit that the other has. */
function textEdits(record: RecordNode, { self }: WatchedBoard): readonly Edit[] {
  const { editor, lastEditedAt, userContentEdits } = record;
  const last = lastEditedAt === null ? [] : [{ editor, editedAt: lastEditedAt }];
  const versions = (userContentEdits?.nodes ?? []).filter((node) => node !== null);
  return [...versions, ...last]
    .filter((edit) => !isSelf(edit.editor, self))
    .map((edit) => ({ ...deedOf({ actor: edit.editor, createdAt: edit.editedAt }), what: "text" }));
}

/** A change of the board's own labels is no edit: they say where an issue is, not what is to be done. */
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

/** An event that GitHub does not show may have been an edit by anybody. It is not younger than the event that follows it. */
function unreadable(nodes: readonly (TimelineNode | null)[]): readonly Edit[] {
  return nodes.flatMap((node, index): readonly Edit[] => {
    if (node !== null) return [];
    const next = nodes.slice(index).find((one) => one !== null);
    const at = next === undefined ? Infinity : Date.parse(next.createdAt);
    return [{ by: undefined, automated: false, at, what: "title" }];
  });
}

/** GitHub's two records of one edit may differ by some seconds. */
const SLACK_MS = 5_000;

function textsCompleteSince({ lastEditedAt, userContentEdits }: RecordNode): number {
  const nodes = userContentEdits?.nodes ?? [];
  const times = nodes.map((node) => Date.parse(node?.editedAt ?? ""));
  // GitHub lists the newest first. A version that is not shown has no time, which fails the comparison.
  if (!times.every((time, at) => time <= (times[at - 1] ?? Infinity))) return Infinity;
  const last = lastEditedAt === null ? -Infinity : Date.parse(lastEditedAt);
  // The last edit is not among the versions, so an unknown person may have written some that are missing.
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

/** A person may have the same name as the app, so the account must also be a bot. */
function isSelf(actor: ActorNode | null, self: string): boolean {
  return actor?.__typename === "Bot" && actor.login.replace(/\[bot\]$/, "") === self;
}
