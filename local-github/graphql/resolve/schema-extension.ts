/**
 * Holds the parts that GitHub added to its GraphQL schema after the published package stopped in February 2025, as far as they
 * are used here. A field that the package already has is replaced by its definition here: that is how a field gains arguments.
 */
export const SCHEMA_EXTENSION = `
extend type Issue {
  blockedBy(after: String, before: String, first: Int, last: Int, orderBy: IssueDependencyOrder): IssueConnection!
  blocking(after: String, before: String, first: Int, last: Int, orderBy: IssueDependencyOrder): IssueConnection!
  issueDependenciesSummary: IssueDependenciesSummary!
  issueType: IssueType
}

extend type ProjectV2 {
  items(
    after: String
    before: String
    first: Int
    last: Int
    orderBy: ProjectV2ItemOrder
    query: String = ""
  ): ProjectV2ItemConnection!
}

input IssueDependencyOrder {
  direction: OrderDirection!
  field: IssueDependencyOrderField!
}

enum IssueDependencyOrderField {
  CREATED_AT
  DEPENDENCY_ADDED_AT
}

type IssueDependenciesSummary {
  blockedBy: Int!
  blocking: Int!
  totalBlockedBy: Int!
  totalBlocking: Int!
}

type IssueType implements Node {
  color: IssueTypeColor!
  description: String
  id: ID!
  isEnabled: Boolean!
  name: String!
}

enum IssueTypeColor {
  BLUE
  GRAY
  GREEN
  ORANGE
  PINK
  PURPLE
  RED
  YELLOW
}

interface ProjectV2Event {
  actor: Actor
  createdAt: DateTime!
  project: ProjectV2
  wasAutomated: Boolean!
}

type AddedToProjectV2Event implements Node & ProjectV2Event {
  actor: Actor
  createdAt: DateTime!
  databaseId: Int
  id: ID!
  project: ProjectV2
  wasAutomated: Boolean!
}

type RemovedFromProjectV2Event implements Node & ProjectV2Event {
  actor: Actor
  createdAt: DateTime!
  databaseId: Int
  id: ID!
  project: ProjectV2
  wasAutomated: Boolean!
}

type ProjectV2ItemStatusChangedEvent implements Node & ProjectV2Event {
  actor: Actor
  createdAt: DateTime!
  databaseId: Int
  id: ID!
  previousStatus: String!
  project: ProjectV2
  status: String!
  wasAutomated: Boolean!
}

extend union IssueTimelineItems =
  AddedToProjectV2Event | ProjectV2ItemStatusChangedEvent | RemovedFromProjectV2Event

extend union PullRequestTimelineItems =
  AddedToProjectV2Event | ProjectV2ItemStatusChangedEvent | RemovedFromProjectV2Event

extend enum IssueTimelineItemsItemType {
  ADDED_TO_PROJECT_V2_EVENT
  PROJECT_V2_ITEM_STATUS_CHANGED_EVENT
  REMOVED_FROM_PROJECT_V2_EVENT
}

extend enum PullRequestTimelineItemsItemType {
  ADDED_TO_PROJECT_V2_EVENT
  PROJECT_V2_ITEM_STATUS_CHANGED_EVENT
  REMOVED_FROM_PROJECT_V2_EVENT
}

extend type Mutation {
  addBlockedBy(input: AddBlockedByInput!): AddBlockedByPayload
  removeBlockedBy(input: RemoveBlockedByInput!): RemoveBlockedByPayload
}

input AddBlockedByInput {
  blockingIssueId: ID!
  clientMutationId: String
  issueId: ID!
}

type AddBlockedByPayload {
  blockingIssue: Issue
  clientMutationId: String
  issue: Issue
}

input RemoveBlockedByInput {
  blockingIssueId: ID!
  clientMutationId: String
  issueId: ID!
}

type RemoveBlockedByPayload {
  blockingIssue: Issue
  clientMutationId: String
  issue: Issue
}
`;
