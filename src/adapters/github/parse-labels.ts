import type { Card, ColumnRole } from "../../domain/board.ts";
import { ROLES } from "../../config/label-names.ts";
import type { LabelNames } from "../../config/label-names.ts";
import { issueFromNode, present } from "./parse-reading.ts";
import type { LabelledIssueNode } from "./reading-nodes.ts";

/** The roles that the issue has labels of. GitHub does not tell the case of labels apart. */
export function rolesHeld(node: LabelledIssueNode, names: LabelNames): ReadonlySet<ColumnRole> {
  const labels = new Set(present(node.labels?.nodes).map(({ name }) => name.toLowerCase()));
  return new Set(ROLES.filter((role) => labels.has(names[role].toLowerCase())));
}

/**
 * The label that was put on last says where the issue is: people add `ready` to a blocked issue without taking `blocked` off.
 * Without a record of it the order of the roles decides, with the issue's own age as the time.
 */
export function cardFromLabels(node: LabelledIssueNode, names: LabelNames): Card {
  const held = rolesHeld(node, names);
  const roleOf = (label: string | undefined): ColumnRole | undefined =>
    ROLES.find((role) => held.has(role) && names[role].toLowerCase() === label?.toLowerCase());
  const last = present(node.timelineItems.nodes).findLast(
    ({ label }) => roleOf(label?.name) !== undefined,
  );
  return {
    id: node.id,
    issue: issueFromNode(node),
    role: roleOf(last?.label?.name) ?? [...held][0],
    movedAt: Date.parse(last?.createdAt ?? node.createdAt),
  };
}
