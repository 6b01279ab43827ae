import { getVariableValues, GraphQLError, Kind } from "graphql";
import { ownerOf } from "../auth/caller.ts";
import { primaryWords } from "../limits/limit-passed.ts";
import type { InstallationToken } from "../model/app.ts";
import type { World } from "../model/world.ts";
import { costOf } from "./cost.ts";
import type { Cost } from "./cost.ts";
import { GraphqlProblem } from "./resolve/graphql-problem.ts";
import type { RequestDocument } from "./resolve/request-document.ts";
import { githubSchema } from "./resolve/schema.ts";

/** GitHub refuses queries that could answer more nodes than this. */
const MAX_NODES = 500_000;

interface Payer {
  readonly world: World;
  readonly token: InstallationToken;
}

type Variables = Readonly<Record<string, unknown>>;

/** Takes the cost of the request from the installation's budget; refuses a request that is too large or not affordable. */
export function payFor(
  { world, token }: Payer,
  parsed: RequestDocument,
  variables: Variables,
): Cost {
  const cost = costOfRequest(parsed, variables);
  if (cost.nodes > MAX_NODES) throw tooManyNodes(cost.nodes);
  const payer = ownerOf(token);
  if (!world.budget.spend(payer, "graphql", cost.points)) {
    throw new GraphqlProblem("RATE_LIMITED", primaryWords(payer));
  }
  return cost;
}

function costOfRequest({ document, operation }: RequestDocument, variables: Variables): Cost {
  const schema = githubSchema();
  const definitions = operation.variableDefinitions ?? [];
  const { coerced, errors } = getVariableValues(schema, definitions, variables);
  if (!coerced) throw errors[0] ?? new GraphQLError("the variables do not fit");
  const fragments = new Map(
    document.definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );
  return costOf({ schema, operation, fragments, variables: coerced });
}

function tooManyNodes(nodes: number): GraphqlProblem {
  const [asked, limit] = [nodes, MAX_NODES].map((count) => count.toLocaleString("en"));
  return new GraphqlProblem(
    "MAX_NODE_LIMIT_EXCEEDED",
    `This query requests up to ${asked} possible nodes which exceeds the maximum limit of ${limit}.`,
  );
}
