import { describe, expect, it } from "vitest";
import { graphqlViolations } from "./graphql-validator.ts";

const BOARD = `query Board($org: String!, $number: Int!, $after: String) {
  organization(login: $org) { projectV2(number: $number) {
    id title
    items(first: 100, after: $after, query: "status:Ready", orderBy: {field: POSITION, direction: ASC}) {
      nodes { id type content { __typename
        ... on Issue { id number issueType { name } blockedBy(first: 20) { nodes { number } }
          issueDependenciesSummary { blockedBy totalBlockedBy } } } } } } }
  rateLimit { cost remaining resetAt }
}`;

describe("graphqlViolations", () => {
  it("accepts a board query with what GitHub added since the published schema", () => {
    const variables = { org: "acme", number: 1, after: null };
    expect(graphqlViolations({ document: BOARD, variables })).toEqual([]);
  });

  it("refuses a field that does not exist", () => {
    const document = `query Q { viewer { logn } }`;
    expect(graphqlViolations({ document })).toEqual([
      `GraphQL anonymous: Cannot query field "logn" on type "User". Did you mean "login"?`,
    ]);
  });

  it("refuses two selections of one name with different types", () => {
    const document = `{ node(id: "1") { ... on Issue { state } ... on PullRequest { state } } }`;
    expect(graphqlViolations({ document })).toHaveLength(1);
  });

  it("refuses text that is not a document", () => {
    expect(graphqlViolations({ document: "{ viewer {" })).toHaveLength(1);
  });

  it("refuses variables that are missing, of another type or not declared", () => {
    const variables = { org: 7, nmber: 1 };
    expect(graphqlViolations({ document: BOARD, variables })).toEqual([
      "GraphQL Board: variable $nmber is not declared",
      `GraphQL Board: Variable "$org" got invalid value 7; String cannot represent a non string value: 7`,
      `GraphQL Board: Variable "$number" of required type "Int!" was not provided.`,
    ]);
  });
});
