/** Many events hide the one that made an issue ready; it then counts as not on record, which is the safe side. */
export const RECORD = /* GraphQL */ `
  fragment Record on Issue {
    lastEditedAt
    editor {
      ...Who
    }
    timelineItems(
      last: 60
      itemTypes: [
        ADDED_TO_PROJECT_V2_EVENT
        PROJECT_V2_ITEM_STATUS_CHANGED_EVENT
        LABELED_EVENT
        UNLABELED_EVENT
        RENAMED_TITLE_EVENT
      ]
    ) {
      nodes {
        __typename
        ... on AddedToProjectV2Event {
          createdAt
          wasAutomated
          actor {
            ...Who
          }
        }
        ... on ProjectV2ItemStatusChangedEvent {
          createdAt
          wasAutomated
          status
          project {
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
  readonly timelineItems: { readonly nodes: readonly (TimelineNode | null)[] | null };
}
