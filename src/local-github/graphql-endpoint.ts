import { setTimeout as delay } from "node:timers/promises";
import { authenticate } from "./auth/authenticate.ts";
import { graphqlSpending } from "./graphql/budget.ts";
import type { GraphqlQuestion } from "./graphql/execute.ts";
import { executeGraphql } from "./graphql/execute.ts";
import type { HttpRequest, HttpResponse } from "./http.ts";
import { jsonResponse, parseJson } from "./http.ts";
import { Problem } from "./model/problem.ts";
import { objectBody } from "./rest/body.ts";
import { budgetHeaders } from "./rest/budget.ts";
import { problemAnswer } from "./rest/problem-answer.ts";
import type { Answer } from "./rest/route.ts";
import { answerWithFaults } from "./rest/serve-rest.ts";
import type { Site } from "./site.ts";

/** Answers `POST /graphql` for installation tokens. */
export function createGraphql(site: Site): (request: HttpRequest) => Promise<HttpResponse> {
  return async (request) => {
    const body = objectBody(parseJson(request.body));
    const document = typeof body["query"] === "string" ? body["query"] : "";
    site.counts.graphql += 1;
    if (/^\s*mutation\b/.test(document)) site.counts.writes += 1;
    if (site.faults.latencyMs > 0) await delay(site.faults.latencyMs);
    const facts = { method: request.method, path: "/graphql", route: "/graphql", body };
    const answer = await answerWithFaults(site, facts, async () =>
      answerOf(site, request, {
        document,
        variables: objectBody(body["variables"]),
        operationName:
          typeof body["operationName"] === "string" ? body["operationName"] : undefined,
      }),
    );
    return jsonResponse(answer.status, answer.body, answer.headers);
  };
}

type Asked = Pick<GraphqlQuestion, "document" | "variables" | "operationName">;

async function answerOf(site: Site, request: HttpRequest, question: Asked): Promise<Answer> {
  const { world, faults } = site;
  try {
    const caller = authenticate(world, request.headers["authorization"]);
    if (caller.kind !== "installation") {
      throw new Problem(401, "This endpoint requires you to be authenticated.");
    }
    const { token, actor } = caller;
    const result = await executeGraphql({ world, faults, token, actor, ...question });
    site.observer.graphql?.({ ...question, result });
    const spending = graphqlSpending(world, token.installation);
    return { status: 200, body: result, headers: budgetHeaders("graphql", spending) };
  } catch (error) {
    if (error instanceof Problem) return problemAnswer(error);
    throw error;
  }
}
