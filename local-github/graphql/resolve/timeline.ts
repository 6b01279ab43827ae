import type { Issue, TimelineEvent, TimelineFact } from "../../model/issue.ts";
import type { PullRequest } from "../../model/pull-request.ts";

/** Is one entry of a thread's timeline, with the thread that it is on. */
export interface TimelineEntry {
  readonly kind: "timeline-entry";
  readonly event: TimelineEvent;
  readonly thread: Issue | PullRequest;
}

const TYPE_NAMES: Readonly<Record<TimelineFact["event"], string>> = {
  labeled: "LabeledEvent",
  unlabeled: "UnlabeledEvent",
  closed: "ClosedEvent",
  reopened: "ReopenedEvent",
  renamed: "RenamedTitleEvent",
  commented: "IssueComment",
  merged: "MergedEvent",
  added_to_project_v2: "AddedToProjectV2Event",
  removed_from_project_v2: "RemovedFromProjectV2Event",
  project_v2_item_status_changed: "ProjectV2ItemStatusChangedEvent",
};

export function timelineTypeName(entry: TimelineEntry): string {
  return TYPE_NAMES[entry.event.what.event];
}

/** Lists the timeline as GraphQL has it: a comment stands for itself. `itemTypes` are written LIKE_THIS_EVENT. */
export function timelineOf(
  thread: Issue | PullRequest,
  itemTypes: readonly string[] | null | undefined,
): readonly unknown[] {
  return thread.timeline
    .map((event): TimelineEntry => ({ kind: "timeline-entry", event, thread }))
    .filter((entry) => !itemTypes || itemTypes.includes(itemType(timelineTypeName(entry))))
    .map((entry) => {
      const { what } = entry.event;
      return what.event === "commented" ? what.comment : entry;
    });
}

function itemType(typeName: string): string {
  return typeName.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, "_").toUpperCase();
}
