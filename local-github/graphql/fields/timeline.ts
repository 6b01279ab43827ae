import type { TimelineFact } from "../../model/issue.ts";
import { threadPath } from "../resolve/addresses.ts";
import { commitNamed } from "../resolve/git-objects.ts";
import type { Fields } from "../resolve/resolver.ts";
import type { TimelineEntry } from "../resolve/timeline.ts";
import { canSeeProject } from "../resolve/viewer.ts";

type Entry<Event extends TimelineFact["event"]> = TimelineEntry & {
  readonly event: { readonly what: Extract<TimelineFact, { readonly event: Event }> };
};

const entryFields: Fields<TimelineEntry> = {
  id: ({ event }) => event.nodeId,
  databaseId: ({ event }) => event.id,
  actor: ({ event }) => event.actor,
  createdAt: ({ event }) => event.createdAt,
  url: ({ event, thread }, _: unknown, { world }) =>
    `${world.url}${threadPath(thread)}#event-${event.id}`,
};

const labelEventFields: Fields<Entry<"labeled" | "unlabeled">> = {
  ...entryFields,
  label: ({ event }) => event.what.label,
  labelable: ({ thread }) => thread,
};

const projectEventFields: Fields<
  Entry<"added_to_project_v2" | "removed_from_project_v2" | "project_v2_item_status_changed">
> = {
  ...entryFields,
  project: ({ event }, _: unknown, viewer) => {
    const project = viewer.world.nodes.get(event.what.projectNodeId);
    return project?.kind === "project" && canSeeProject(viewer, project) ? project : null;
  },
  wasAutomated: () => false,
};

const statusEventFields: Fields<Entry<"project_v2_item_status_changed">> = {
  ...projectEventFields,
  previousStatus: ({ event }) => event.what.previousStatus,
  status: ({ event }) => event.what.status,
};

const closedEventFields: Fields<Entry<"closed">> = {
  ...entryFields,
  closable: ({ thread }) => thread,
  stateReason: ({ event }) => event.what.reason?.toUpperCase() ?? null,
  closer: ({ event, thread }) =>
    event.what.commitSha === null ? null : commitNamed(thread.repository, event.what.commitSha),
};

const mergedEventFields: Fields<Entry<"merged">> = {
  ...entryFields,
  pullRequest: ({ thread }) => thread,
  commit: ({ event, thread }) => commitNamed(thread.repository, event.what.commitSha),
  mergeRefName: ({ thread }) => (thread.kind === "pull-request" ? thread.baseRef : null),
};

const renamedEventFields: Fields<Entry<"renamed">> = {
  ...entryFields,
  previousTitle: ({ event }) => event.what.from,
  currentTitle: ({ event }) => event.what.to,
  subject: ({ thread }) => thread,
};

const reopenedEventFields: Fields<Entry<"reopened">> = {
  ...entryFields,
  closable: ({ thread }) => thread,
  stateReason: ({ event }) => event.what.reason?.toUpperCase() ?? null,
};

export const timelineFields = {
  LabeledEvent: labelEventFields,
  UnlabeledEvent: labelEventFields,
  ClosedEvent: closedEventFields,
  ReopenedEvent: reopenedEventFields,
  RenamedTitleEvent: renamedEventFields,
  MergedEvent: mergedEventFields,
  AddedToProjectV2Event: projectEventFields,
  RemovedFromProjectV2Event: projectEventFields,
  ProjectV2ItemStatusChangedEvent: statusEventFields,
};
