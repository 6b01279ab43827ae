import type { Node } from "../model/world.ts";
import type { CardValue } from "./resolve/field-value.ts";
import type { CommitName, RefName } from "./resolve/git-objects.ts";
import { timelineTypeName } from "./resolve/timeline.ts";
import type { TimelineEntry } from "./resolve/timeline.ts";

type Typed = Node | CommitName | RefName | CardValue | TimelineEntry;

const SIMPLE: Readonly<Record<string, string>> = {
  organization: "Organization",
  repository: "Repository",
  label: "Label",
  issue: "Issue",
  "pull-request": "PullRequest",
  "merge-queue": "MergeQueue",
  "merge-queue-entry": "MergeQueueEntry",
  comment: "IssueComment",
  review: "PullRequestReview",
  "check-run": "CheckRun",
  "check-suite": "CheckSuite",
  status: "StatusContext",
  project: "ProjectV2",
  "project-item": "ProjectV2Item",
  "draft-issue": "DraftIssue",
  commit: "Commit",
  ref: "Ref",
};

const VALUE_TYPES = {
  TITLE: "ProjectV2ItemFieldTextValue",
  TEXT: "ProjectV2ItemFieldTextValue",
  NUMBER: "ProjectV2ItemFieldNumberValue",
  DATE: "ProjectV2ItemFieldDateValue",
  SINGLE_SELECT: "ProjectV2ItemFieldSingleSelectValue",
} as const;

/** Names the GraphQL type of an object of the model, where the schema leaves it open (unions and interfaces). */
export function typeName(value: Typed): string | undefined {
  if (value.kind === "user") return value.type;
  if (value.kind === "card-value") return VALUE_TYPES[value.field.dataType];
  if (value.kind === "timeline-entry") return timelineTypeName(value);
  if (value.kind !== "project-field") return SIMPLE[value.kind];
  return value.dataType === "SINGLE_SELECT" ? "ProjectV2SingleSelectField" : "ProjectV2Field";
}
