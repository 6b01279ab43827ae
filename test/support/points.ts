import { getVariableValues, Kind, parse } from "graphql";
import { costOf } from "../../local-github/graphql/cost.ts";
import { githubSchema } from "../../local-github/graphql/resolve/schema.ts";

/** What a query costs by GitHub's formula, which counts what an answer could hold and not what it does. */
export function pointsOf(text: string, variables: Readonly<Record<string, unknown>>): number {
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
