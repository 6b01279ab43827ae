/**
 * Asks for as many of the newest records as fit into one answer. Where older records would matter they count as unknown, which is
 * the safe side. GitHub lists the versions of a text newest first, but the events of a timeline newest last.
 */
export const RECORD = /* GraphQL */ `
  fragment Record on Issue {
    lastEditedAt
    editor {
      ...Who
    }
    userContentEdits(first: 50) {
      totalCount
      nodes {
        editedAt
        editor {
          ...Who
        }
      }
    }
    timelineItems(
      last: 60
      itemTypes: [
        ADDED_TO_PROJECT_V2_EVENT
        REMOVED_FROM_PROJECT_V2_EVENT
        PROJECT_V2_ITEM_STATUS_CHANGED_EVENT
        LABELED_EVENT
        UNLABELED_EVENT
        RENAMED_TITLE_EVENT
        CLOSED_EVENT
        REOPENED_EVENT
      ]
    ) {
      pageInfo {
        hasPreviousPage
      }
      nodes {
        __typename
        ... on AddedToProjectV2Event {
          createdAt
          wasAutomated
          project {
            ...Where
          }
          actor {
            ...Who
          }
        }
        ... on RemovedFromProjectV2Event {
          createdAt
          wasAutomated
          project {
            ...Where
          }
          actor {
            ...Who
          }
        }
        ... on ProjectV2ItemStatusChangedEvent {
          createdAt
          wasAutomated
          status
          project {
            ...Where
          }
          actor {
            ...Who
          }
        }
        ... on LabeledEvent {
          createdAt
          label {
            name
          }
          actor {
            ...Who
          }
        }
        ... on UnlabeledEvent {
          createdAt
          label {
            name
          }
          actor {
            ...Who
          }
        }
        ... on RenamedTitleEvent {
          createdAt
          actor {
            ...Who
          }
        }
        ... on ClosedEvent {
          createdAt
          actor {
            ...Who
          }
        }
        ... on ReopenedEvent {
          createdAt
          actor {
            ...Who
          }
        }
      }
    }
  }

  fragment Where on ProjectV2 {
    number
    owner {
      ... on Organization {
        login
      }
      ... on User {
        login
      }
    }
  }

  fragment Who on Actor {
    __typename
    login
  }
`;

export interface ActorNode {
  readonly __typename: string;
  readonly login: string;
}

export interface TimelineNode {
  readonly __typename: string;
  readonly createdAt: string;
  readonly wasAutomated?: boolean;
  readonly status?: string;
  readonly project?: {
    readonly number: number;
    readonly owner?: { readonly login?: string };
  } | null;
  readonly label?: { readonly name: string };
  readonly actor: ActorNode | null;
}

export interface RecordNode {
  readonly lastEditedAt: string | null;
  readonly editor: ActorNode | null;
  readonly userContentEdits: {
    readonly totalCount: number;
    readonly nodes:
      readonly ({ readonly editedAt: string; readonly editor: ActorNode | null } | null)[] | null;
  } | null;
  readonly timelineItems: {
    readonly pageInfo: { readonly hasPreviousPage: boolean };
    readonly nodes: readonly (TimelineNode | null)[] | null;
  };
}
