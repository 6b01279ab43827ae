import { getVariableValues, Kind, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { costOf } from "../../../local-github/graphql/cost.ts";
import { githubSchema } from "../../../local-github/graphql/resolve/schema.ts";
import { readingQuery, LABEL_READING } from "../../../src/adapters/github/reading/reading-query.ts";

const PLACE = { owner: "acme", name: "shop" };
const FIRST_PAGE = { after: null, withItems: true, pullsAfter: null, withPulls: true };
const ROLES = ["ready", "running", "review", "queued", "done", "blocked"];

/** By GitHub's formula, which counts what an answer could hold and not what it does. */
function pointsOf(text: string, variables: Readonly<Record<string, unknown>>): number {
  const schema = githubSchema();
  const { definitions } = parse(text);
  const operation = definitions.find((one) => one.kind === Kind.OPERATION_DEFINITION);
  const fragments = definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  const { coerced } = getVariableValues(schema, operation!.variableDefinitions ?? [], variables);
  return costOf({
    schema,
    operation: operation!,
    variables: coerced!,
    fragments: new Map(fragments.map((fragment) => [fragment.name.value, fragment])),
  }).points;
}

describe("a whole reading of 100 cards", () => {
  it("costs at most 4 points on a project", () => {
    const variables = { ...PLACE, ...FIRST_PAGE, project: 1, field: "Status" };
    expect(pointsOf(readingQuery("organization"), variables)).toBeLessThanOrEqual(4);
  });

  it("costs at most 5 points on a board of labels", () => {
    const names = Object.fromEntries(ROLES.map((role) => [role, role]));
    const variables = { ...PLACE, ...FIRST_PAGE, ...names, labels: ROLES };
    expect(pointsOf(LABEL_READING, variables)).toBeLessThanOrEqual(5);
  });
});
