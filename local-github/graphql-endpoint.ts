import { payerOf } from "./auth/caller.ts";
import type { Caller } from "./auth/caller.ts";
import { executeGraphql } from "./graphql/execute.ts";
import type { GraphqlQuestion } from "./graphql/execute.ts";
import { mutationsIn } from "./graphql/mutations-in.ts";
import { graphqlCost } from "./limits/cost.ts";
import { budgetHeaders } from "./model/budget.ts";
import { Problem } from "./model/problem.ts";
import { objectBody } from "./rest/request/body.ts";
import { orRefusal } from "./rest/request/problem-answer.ts";
import type { Answer } from "./rest/request/route.ts";
import { answerWithFaults, serveApi } from "./rest/serve-api.ts";
import type { Site } from "./site/site.ts";
import { jsonResponse, parseJson } from "./wire/http.ts";
import type { HttpRequest, HttpResponse } from "./wire/http.ts";

/** Answers `POST /graphql` for installation tokens. */
export function createGraphql(site: Site): (request: HttpRequest) => Promise<HttpResponse> {
  return async (request) => {
    const body = objectBody(parseJson(request.body));
    const question = questionIn(body);
    const mutations = mutationsIn(question.document, question.operationName);
    const cost = graphqlCost(mutations);
    site.counts.graphql += 1;
    if (mutations.length > 0) site.counts.writes += 1;
    site.counts.contentWrites += cost.content;
    const facts = { method: request.method, path: "/graphql", route: "/graphql", body };
    const latencyMs = site.faults.latency.graphql;
    return serveApi(site, { request, facts, cost, latencyMs }, async (caller) => {
      const answer = await answerWithFaults(site, facts, async () =>
        orRefusal(async () => answerOf(site, caller, question)),
      );
      return jsonResponse(answer.status, answer.body, answer.headers);
    });
  };
}

type Asked = Pick<GraphqlQuestion, "document" | "variables" | "operationName">;

function questionIn(body: Readonly<Record<string, unknown>>): Asked {
  const { query, variables, operationName } = body;
  return {
    document: typeof query === "string" ? query : "",
    variables: objectBody(variables),
    operationName: typeof operationName === "string" ? operationName : undefined,
  };
}

async function answerOf(site: Site, caller: Caller, question: Asked): Promise<Answer> {
  const { world, faults } = site;
  if (caller.kind !== "installation") {
    throw new Problem(401, "This endpoint requires you to be authenticated.");
  }
  const { token, actor } = caller;
  const result = await executeGraphql({ world, faults, token, actor, ...question });
  if (result.errors?.some(({ type }) => type === "RATE_LIMITED")) site.counts.refused += 1;
  site.observer.graphql?.({ ...question, result });
  const spending = world.budget.look(payerOf(caller), "graphql");
  return { status: 200, body: result, headers: budgetHeaders("graphql", spending) };
}
