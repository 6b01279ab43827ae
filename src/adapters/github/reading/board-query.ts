import type { CardFact } from "../../../domain/board.ts";
import { CURSOR, PULLS, TASK } from "./reading-query.ts";

/** An app can read only projects of organizations. A person's classic token can also read that person's own. */
export type ProjectOwner = "organization" | "user";

/** The app fills these fields of a project where they exist. */
export const CARD_FACTS: readonly CardFact[] = ["wave", "runner", "attempt", "cost", "reason"];

/** Returns the name that a project has for the field, e.g. `Wave`. */
export function titled(name: CardFact): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Asks for the board and the open pull requests in one document, so that a tick costs one call. */
export function readingQuery(owner: ProjectOwner): string {
  return /* GraphQL */ `
  query RepoReading($owner: String!, $name: String!, $project: Int!, $field: String!, ${CURSOR}) {
    account: ${owner}(login: $owner) @include(if: $withItems) {
      projectV2(number: $project) {
        ...Project
        items(first: $size, after: $after) {
          pageInfo {
            hasNextPage
            endCursor
          }
          nodes {
            ...Card
          }
        }
      }
    }
    repository(owner: $owner, name: $name) @include(if: $withPulls) {
      ${PULLS}
    }
  }
  ${PROJECT}
  ${CARD}
`;
}

/** A page of a board's index begins after a cursor. */
export interface IndexPage {
  readonly after: string | null;
  readonly size: number;
}

/**
 * Asks for what tells whether a card changed, and for nothing that needs a request of its own for each card. By GitHub's formula all
 * pages of a board together then cost one point. An issue's count of open blockers changes when a blocker is closed in any repository.
 */
export function indexQuery(owner: ProjectOwner, pages: number): string {
  const numbers = Array.from({ length: pages }, (_, at) => at);
  const declared = numbers.map((at) => `$after${at}: String, $size${at}: Int!`).join(", ");
  const lists = numbers.map(
    (at) => `page${at}: items(first: $size${at}, after: $after${at}) { ...IndexPage }`,
  );
  return /* GraphQL */ `
  query BoardIndex(
    $owner: String!, $name: String!, $project: Int!, $field: String!
    $withPulls: Boolean!, $pullsAfter: String, ${declared}
  ) {
    account: ${owner}(login: $owner) {
      projectV2(number: $project) {
        ...Project
        ${lists.join("\n        ")}
      }
    }
    repository(owner: $owner, name: $name) @include(if: $withPulls) {
      ${PULLS}
    }
  }

  fragment IndexPage on ProjectV2ItemConnection {
    pageInfo {
      hasNextPage
      endCursor
    }
    nodes {
      id
      ...Stamp
    }
  }
  ${PROJECT}
  ${STAMP}
`;
}

/** Asks for the cards that an index has shown as changed. */
export function changedCardsQuery(): string {
  return /* GraphQL */ `
    query ChangedCards($ids: [ID!]!, $field: String!) {
      nodes(ids: $ids) {
        ...Card
      }
    }
    ${CARD}
  `;
}

const PROJECT = /* GraphQL */ `
  fragment Project on ProjectV2 {
    id
    closed
    fields(first: 50) {
      nodes {
        ...Field
      }
    }
  }

  fragment Field on ProjectV2FieldConfiguration {
    ... on ProjectV2Field {
      id
      name
      dataType
    }
    ... on ProjectV2SingleSelectField {
      id
      name
      dataType
      options {
        id
        name
      }
    }
  }
`;

const STAMP = /* GraphQL */ `
  fragment Stamp on ProjectV2Item {
    updatedAt
    isArchived
    status: fieldValueByName(name: $field) {
      ... on ProjectV2ItemFieldSingleSelectValue {
        name
        updatedAt
      }
    }
    content {
      __typename
      ... on Issue {
        updatedAt
        issueDependenciesSummary {
          blockedBy
          totalBlockedBy
        }
        parent {
          updatedAt
          issueDependenciesSummary {
            blockedBy
            totalBlockedBy
          }
        }
      }
      ... on DraftIssue {
        updatedAt
      }
    }
  }
`;

const FACT_VALUES = CARD_FACTS.map(
  (name) => `${name}: fieldValueByName(name: "${titled(name)}") { ...Fact }`,
);

const CARD = /* GraphQL */ `
  fragment Card on ProjectV2Item {
    id
    type
    ...Stamp
    ${FACT_VALUES.join("\n    ")}
    content {
      __typename
      ... on Issue {
        ...Task
      }
      ... on DraftIssue {
        title
      }
    }
  }

  fragment Fact on ProjectV2ItemFieldValue {
    ... on ProjectV2ItemFieldTextValue {
      text
    }
    ... on ProjectV2ItemFieldNumberValue {
      number
    }
    ... on ProjectV2ItemFieldSingleSelectValue {
      name
    }
  }
  ${STAMP}
  ${TASK}
`;
