import { execute, OperationTypeNode } from "graphql";
import { workOutMergeability } from "../actions/pulls/mergeability.ts";
import { ownerOf } from "../auth/caller.ts";
import type { User } from "../model/account.ts";
import type { InstallationToken } from "../model/app.ts";
import type { PullRequest } from "../model/pull-request.ts";
import { isoSeconds } from "../model/world.ts";
import type { World } from "../model/world.ts";
import { answerFrom, refusalFrom } from "./answer.ts";
import type { GraphqlAnswer } from "./answer.ts";
import type { Cost } from "./cost.ts";
import { payFor } from "./pay.ts";
import { requestDocument } from "./resolve/request-document.ts";
import type { RequestDocument } from "./resolve/request-document.ts";
import { fieldResolver } from "./resolve/resolver.ts";
import { githubSchema } from "./resolve/schema.ts";
import type { Viewer } from "./resolve/viewer.ts";
import { TABLES } from "./tables.ts";
import { typeName } from "./type-name.ts";

/** Lists the faults that show in a GraphQL answer. */
export interface GraphqlKnobs {
  readonly nullBoard: boolean;
  readonly heaviestQuery: number;
  takeUnknownMergeable(): boolean;
  takeStaleRead(): boolean;
}

export interface GraphqlQuestion {
  readonly world: World;
  readonly faults: GraphqlKnobs;
  readonly token: InstallationToken;
  readonly actor: User;
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName?: string | undefined;
}

const resolveField = fieldResolver(TABLES);

/** Answers a GraphQL request as GitHub would: with HTTP 200, also when it is refused. */
export async function executeGraphql(question: GraphqlQuestion): Promise<GraphqlAnswer> {
  try {
    const parsed = requestDocument(question.document, question.operationName);
    const cost = payFor(question, parsed, question.variables);
    const viewer = viewerFor(question, cost);
    const answer = recallStale(question, parsed) ?? (await run(question, parsed, viewer));
    return cost.nodes > question.faults.heaviestQuery ? cutShort(answer) : answer;
  } catch (error) {
    return refusalFrom(error);
  }
}

/** GitHub ends a query that takes too much of it: what it has found by then comes with the error. */
function cutShort({ data, errors = [] }: GraphqlAnswer): GraphqlAnswer {
  const [first] = Object.keys(data ?? {});
  const partial = first === undefined ? null : { ...(data as object), [first]: null };
  const message = "Resource limits for this query exceeded.";
  return { data: partial, errors: [...errors, { type: "RESOURCE_LIMITS_EXCEEDED", message }] };
}

async function run(
  question: GraphqlQuestion,
  { document }: RequestDocument,
  viewer: Viewer,
): Promise<GraphqlAnswer> {
  const result = await execute({
    schema: githubSchema(),
    document,
    contextValue: viewer,
    variableValues: question.variables,
    operationName: question.operationName ?? null,
    fieldResolver: resolveField,
    typeResolver: (value) => typeName(value as Parameters<typeof typeName>[0]),
  });
  const answer = answerFrom(result);
  staleAnswersOf(question.world).remember(keyOf(question), answer);
  return answer;
}

/** Keeps the last answer to each question, for the knob that makes a read answer as it did before. */
class StaleAnswers<T> {
  readonly #last = new Map<string, T>();
  /** This is enough for every question of a test; the oldest goes first. */
  readonly #capacity = 200;

  recall(question: string): T | undefined {
    return this.#last.get(question);
  }

  remember(question: string, answer: T): void {
    this.#last.delete(question);
    this.#last.set(question, answer);
    const [oldest] = this.#last.keys();
    if (this.#last.size > this.#capacity && oldest !== undefined) this.#last.delete(oldest);
  }
}

const staleAnswers = new WeakMap<World, StaleAnswers<GraphqlAnswer>>();

function staleAnswersOf(world: World): StaleAnswers<GraphqlAnswer> {
  const known = staleAnswers.get(world) ?? new StaleAnswers();
  staleAnswers.set(world, known);
  return known;
}

function keyOf({ document, variables }: GraphqlQuestion): string {
  return JSON.stringify([document, variables]);
}

const READS_CODE = /\b(?:pullRequests?|refs?|object)\s*\(/;

/** Answers as before. Only reads of pull requests and refs grow stale, and only when they were asked before. */
function recallStale(
  question: GraphqlQuestion,
  { operation }: RequestDocument,
): GraphqlAnswer | undefined {
  if (operation.operation !== OperationTypeNode.QUERY) return undefined;
  if (!READS_CODE.test(question.document)) return undefined;
  const before = staleAnswersOf(question.world).recall(keyOf(question));
  return before && question.faults.takeStaleRead() ? before : undefined;
}

function viewerFor({ world, token, actor, faults }: GraphqlQuestion, cost: Cost): Viewer {
  const { limit, used, remaining, reset } = world.budget.look(ownerOf(token), "graphql");
  return {
    world,
    token,
    user: actor,
    boardsAreNull: faults.nullBoard,
    mergeabilityOf: oncePerPull(async (pull) =>
      faults.takeUnknownMergeable() ? null : workOutMergeability(pull),
    ),
    rateLimit: {
      cost: cost.points,
      nodeCount: cost.nodes,
      limit,
      used,
      remaining,
      resetAt: isoSeconds(reset * 1000),
    },
  };
}

/** Makes one answer say one thing about a pull request, however many of its fields ask. */
function oncePerPull(workOut: Viewer["mergeabilityOf"]): Viewer["mergeabilityOf"] {
  const known = new Map<PullRequest, ReturnType<Viewer["mergeabilityOf"]>>();
  return (pull) => {
    const result = known.get(pull) ?? workOut(pull);
    known.set(pull, result);
    return result;
  };
}
