import type { Account, User } from "./account.ts";
import type { Issue } from "./issue.ts";
import type { PullRequest } from "./pull-request.ts";

export type OptionColor =
  "GRAY" | "BLUE" | "GREEN" | "YELLOW" | "ORANGE" | "RED" | "PINK" | "PURPLE";

export interface FieldOption {
  /** It has eight hexadecimal digits and is the same in REST, GraphQL and webhooks. */
  readonly id: string;
  readonly name: string;
  readonly color: OptionColor;
  readonly description: string;
}

export type FieldType = "TITLE" | "TEXT" | "NUMBER" | "DATE" | "SINGLE_SELECT";

export interface ProjectField {
  readonly kind: "project-field";
  readonly id: number;
  readonly nodeId: string;
  readonly project: Project;
  name: string;
  readonly dataType: FieldType;
  /** The list is empty unless the field is a single select. */
  options: readonly FieldOption[];
  readonly createdAt: string;
  updatedAt: string;
}

export interface DraftIssue {
  readonly kind: "draft-issue";
  readonly id: number;
  readonly nodeId: string;
  readonly creator: User;
  title: string;
  body: string;
  readonly createdAt: string;
  updatedAt: string;
}

export interface FieldValue {
  readonly nodeId: string;
  readonly field: ProjectField;
  /** For a single select this is the option's id. */
  readonly value: string | number;
  readonly creator: User;
  readonly updatedAt: string;
}

export interface ProjectItem {
  readonly kind: "project-item";
  readonly id: number;
  readonly nodeId: string;
  readonly project: Project;
  readonly content: Issue | PullRequest | DraftIssue;
  readonly creator: User;
  /** The key is the field's node id. */
  readonly values: Map<string, FieldValue>;
  readonly createdAt: string;
  updatedAt: string;
  archivedAt: string | null;
}

export interface Project {
  readonly kind: "project";
  readonly id: number;
  readonly nodeId: string;
  readonly number: number;
  readonly owner: Account;
  readonly creator: User;
  title: string;
  closed: boolean;
  readonly isPublic: boolean;
  readonly fields: ProjectField[];
  /** They are in the order of their positions on the board. */
  readonly items: ProjectItem[];
  readonly createdAt: string;
  updatedAt: string;
}

export function findField(project: Project, name: string): ProjectField | undefined {
  return project.fields.find((field) => field.name.toLowerCase() === name.toLowerCase());
}

export function findOption(field: ProjectField, name: string): FieldOption | undefined {
  return field.options.find((option) => option.name.toLowerCase() === name.toLowerCase());
}

export function optionOf(item: ProjectItem, field: ProjectField): FieldOption | undefined {
  const value = item.values.get(field.nodeId)?.value;
  return field.options.find((option) => option.id === value);
}
