import type { Deed, Edit, Provenance } from "../../domain/provenance.ts";
import type { ActorNode, RecordNode, TimelineNode } from "./provenance-query.ts";

/** What makes an issue ready: its card comes into a column of the project, or it gets the label. */
export type ReadyGesture = {
  /** The app's own login, without `[bot]`. */
  readonly self: string;
} & (
  | { readonly column: string; readonly project: number; readonly owner: string }
  | { readonly label: string }
);

/** What the records say, in our words. The app's own deeds prove nothing. */
export function parseProvenance(record: RecordNode, gesture: ReadyGesture): Provenance {
  const items = (record.timelineItems.nodes ?? [])
    .filter((node) => node !== null)
    .filter((node) => !isSelf(node.actor, gesture.self));
  const madeReady =
    items.findLast((node) => isReadyMove(node, gesture)) ?? addition(items, gesture);
  return {
    madeReady: madeReady === undefined ? undefined : deedOf(madeReady),
    edits: [...textEdit(record, gesture), ...items.flatMap(editOf)],
  };
}

const STATUS_CHANGED = "ProjectV2ItemStatusChangedEvent";

function isReadyMove(node: TimelineNode, gesture: ReadyGesture): boolean {
  if ("label" in gesture) {
    const name = node.label?.name.toLowerCase();
    return node.__typename === "LabeledEvent" && name === gesture.label.toLowerCase();
  }
  const { column, project, owner } = gesture;
  const at = node.project;
  return (
    node.__typename === STATUS_CHANGED &&
    node.status === column &&
    at?.number === project &&
    // Anybody may have a project of their own with the same number.
    (at.owner?.login ?? owner).toLowerCase() === owner.toLowerCase()
  );
}

/** Added straight into the column: the board keeps no other record of it. */
function addition(items: readonly TimelineNode[], gesture: ReadyGesture): TimelineNode | undefined {
  if ("label" in gesture || items.some((node) => node.__typename === STATUS_CHANGED)) {
    return undefined;
  }
  return items.findLast((node) => node.__typename === "AddedToProjectV2Event");
}

function textEdit({ editor, lastEditedAt }: RecordNode, { self }: ReadyGesture): readonly Edit[] {
  if (lastEditedAt === null || isSelf(editor, self)) return [];
  const deed = deedOf({ actor: editor, createdAt: lastEditedAt });
  return [{ ...deed, what: "text" }];
}

function editOf(node: TimelineNode): readonly Edit[] {
  switch (node.__typename) {
    case "LabeledEvent":
    case "UnlabeledEvent":
      return [{ ...deedOf(node), what: "labels" }];
    case "RenamedTitleEvent":
      return [{ ...deedOf(node), what: "title" }];
    default:
      return [];
  }
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
