import { setTimeout as delay } from "node:timers/promises";
import { authenticate } from "./auth/authenticate.ts";
import type { Faults } from "./faults.ts";
import type { HttpRequest, HttpResponse } from "./http.ts";
import { jsonResponse, parseJson } from "./http.ts";
import type { User } from "./model/account.ts";
import type { InstallationToken } from "./model/app.ts";
import { Problem } from "./model/problem.ts";
import type { World } from "./model/world.ts";
import { objectBody } from "./rest/body.ts";
import { problemAnswer } from "./rest/problem-answer.ts";
import type { Answer } from "./rest/route.ts";
import { answerWithFaults } from "./rest/serve-rest.ts";
import type { Site } from "./site.ts";

export interface GraphqlQuestion {
  readonly world: World;
  readonly faults: Faults;
  readonly token: InstallationToken;
  readonly actor: User;
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | undefined;
}

export type ExecuteGraphql = (question: GraphqlQuestion) => Promise<unknown>;

/** Answers `POST /graphql` for installation tokens. */
export function createGraphql(
  site: Site,
  execute: ExecuteGraphql,
): (request: HttpRequest) => Promise<HttpResponse> {
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
        execute,
      }),
    );
    return jsonResponse(answer.status, answer.body, answer.headers);
  };
}

interface Asked extends Pick<GraphqlQuestion, "document" | "variables" | "operationName"> {
  readonly execute: ExecuteGraphql;
}

async function answerOf(site: Site, request: HttpRequest, asked: Asked): Promise<Answer> {
  const { world, faults } = site;
  const { execute, ...question } = asked;
  try {
    const caller = authenticate(world, request.headers["authorization"]);
    if (caller.kind !== "installation") {
      throw new Problem(401, "This endpoint requires you to be authenticated.");
    }
    const { token, actor } = caller;
    const result = await execute({ world, faults, token, actor, ...question });
    site.observer.graphql?.({ ...question, result });
    return { status: 200, body: result };
  } catch (error) {
    if (error instanceof Problem) return problemAnswer(error);
    throw error;
  }
}
