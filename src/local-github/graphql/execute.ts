import type { DocumentNode, ExecutionResult, OperationDefinitionNode } from "graphql";
import {
  execute,
  getOperationAST,
  getVariableValues,
  GraphQLError,
  Kind,
  parse,
  validate,
} from "graphql";
import type { User } from "../model/account.ts";
import type { InstallationToken } from "../model/app.ts";
import type { Mergeability, PullRequest } from "../model/pull-request.ts";
import type { World } from "../model/world.ts";
import { graphqlBudget, resetTime, spendPoints } from "./budget.ts";
import type { Cost } from "./cost.ts";
import { costOf } from "./cost.ts";
import { GraphqlProblem } from "./graphql-problem.ts";
import { fieldResolver } from "./resolver.ts";
import { githubSchema } from "./schema.ts";
import { TABLES } from "./tables.ts";
import { typeName } from "./type-name.ts";
import type { Viewer } from "./viewer.ts";

export interface GraphqlRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>> | null;
  readonly operationName?: string | null;
}

export interface GraphqlContext {
  readonly world: World;
  readonly token: InstallationToken;
  readonly actor: User;
  readonly boardsAreNull?: boolean;
  readonly mergeabilityOf: (pull: PullRequest) => Promise<Mergeability | null>;
}

/** As GitHub writes it: `type` beside the message, for the errors that have one. */
export interface GraphqlErrorAnswer {
  readonly type?: string;
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
}

export interface GraphqlAnswer {
  readonly data?: unknown;
  readonly errors?: readonly GraphqlErrorAnswer[];
}

/** GitHub refuses queries that could answer more nodes than this. */
const MAX_NODES = 500_000;

const resolveField = fieldResolver(TABLES);

/** Answers a GraphQL request as GitHub would; always with HTTP 200, also when it is refused. */
export async function executeGraphql(
  context: GraphqlContext,
  request: GraphqlRequest,
): Promise<GraphqlAnswer> {
  try {
    const { document, operation } = checkedDocument(request);
    const viewer = pay(context, costOfRequest(document, operation, request));
    const result = await execute({
      schema: githubSchema(),
      document,
      contextValue: viewer,
      variableValues: request.variables ?? {},
      operationName: request.operationName ?? null,
      fieldResolver: resolveField,
      typeResolver: (value) => typeName(value as Parameters<typeof typeName>[0]),
    });
    return answerFrom(result);
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [errorAnswer(error)] };
    if (error instanceof GraphqlProblem) {
      return { errors: [{ type: error.type, message: error.message }] };
    }
    throw error;
  }
}

interface Checked {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

const valid = new Map<string, DocumentNode>();
/** Programs send a handful of documents; the cap only guards against ones with values written into them. */
const MAX_REMEMBERED = 200;

function checkedDocument(request: GraphqlRequest): Checked {
  const document = valid.get(request.query) ?? parseAndValidate(request.query);
  const operation = getOperationAST(document, request.operationName);
  if (!operation) throw new GraphQLError("An operation name is required");
  return { document, operation };
}

function parseAndValidate(text: string): DocumentNode {
  const document = parse(text);
  const [first] = validate(githubSchema(), document);
  if (first) throw first;
  if (valid.size >= MAX_REMEMBERED) valid.clear();
  valid.set(text, document);
  return document;
}

function costOfRequest(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  request: GraphqlRequest,
): Cost {
  const schema = githubSchema();
  const definitions = operation.variableDefinitions ?? [];
  const { coerced, errors } = getVariableValues(schema, definitions, request.variables ?? {});
  if (!coerced) throw errors[0] ?? new GraphQLError("the variables do not fit");
  const fragments = new Map(
    document.definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );
  return costOf({ schema, operation, fragments, variables: coerced });
}

function pay(context: GraphqlContext, cost: Cost): Viewer {
  const { world, token } = context;
  if (cost.nodes > MAX_NODES) throw tooManyNodes(cost.nodes);
  if (!spendPoints(world, token.installation, cost.points)) {
    const message = `API rate limit exceeded for installation ID ${token.installation.id}.`;
    throw new GraphqlProblem("RATE_LIMITED", message);
  }
  const budget = graphqlBudget(world, token.installation);
  return {
    world,
    token,
    user: context.actor,
    boardsAreNull: context.boardsAreNull ?? false,
    mergeabilityOf: context.mergeabilityOf,
    rateLimit: {
      cost: cost.points,
      nodeCount: cost.nodes,
      limit: budget.limit,
      used: budget.used,
      remaining: budget.remaining,
      resetAt: resetTime(budget),
    },
  };
}

function tooManyNodes(nodes: number): GraphqlProblem {
  return new GraphqlProblem(
    "MAX_NODE_LIMIT_EXCEEDED",
    `This query requests up to ${nodes.toLocaleString("en")} possible nodes which exceeds the maximum limit of 500,000.`,
  );
}

function answerFrom(result: ExecutionResult): GraphqlAnswer {
  return {
    data: result.data,
    ...(result.errors && { errors: result.errors.map(errorAnswer) }),
  };
}

function errorAnswer(error: GraphQLError): GraphqlErrorAnswer {
  const problem = error.originalError;
  return {
    ...(problem instanceof GraphqlProblem && { type: problem.type }),
    ...(error.path && { path: error.path }),
    ...(error.locations && { locations: error.locations }),
    message: error.message,
  };
}
