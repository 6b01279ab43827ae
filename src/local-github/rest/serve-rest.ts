import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { authenticate } from "../auth/authenticate.ts";
import type { Caller } from "../auth/caller.ts";
import type { AnswerFault, RequestFacts } from "../faults.ts";
import type { HttpRequest, HttpResponse } from "../http.ts";
import { jsonResponse, parseJson } from "../http.ts";
import { notFound, Problem } from "../model/problem.ts";
import type { Site } from "../site.ts";
import { answerCall } from "./answer-call.ts";
import { budgetHeaders } from "./budget.ts";
import type { FoundRoute } from "./find-route.ts";
import { findRoute } from "./find-route.ts";
import { problemAnswer } from "./problem-answer.ts";
import type { Answer } from "./route.ts";
import { StaleReads } from "./stale-reads.ts";

/** Answers the REST API: who asks, what goes wrong, what the route says, and what the client already has. */
export function createRest(site: Site): (request: HttpRequest) => Promise<HttpResponse> {
  const stale = new StaleReads(site.faults);
  return async (request) => {
    const found = findRoute(request.method, request.url.pathname);
    const body = parseJson(request.body);
    count(site, request.method, found);
    if (site.faults.latencyMs > 0) await delay(site.faults.latencyMs);
    const facts: RequestFacts = {
      method: request.method,
      path: request.url.pathname,
      route: found?.route.template ?? "",
      body,
    };
    const answer = await answerWithFaults(site, facts, async () => {
      const fresh = await answerOf(site, { request, found, body });
      return stale.pass(facts, request.url.href, fresh);
    });
    const response = conditional(request, toResponse(answer));
    observe(site, { request, found, body }, response);
    return response;
  };
}

/** A token is made without changing anything that people see: only what happens to repositories is a write. */
function count({ counts }: Site, method: string, found: FoundRoute | undefined): void {
  counts.rest += 1;
  if (method !== "GET" && found?.route.for === "repository") counts.writes += 1;
}

/** Armed faults replace the answer, before or after the request took effect. */
export async function answerWithFaults(
  { faults }: Site,
  facts: RequestFacts,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  const before = faults.take(facts, "before");
  if (before !== undefined) return faultAnswer(before);
  const real = await answer();
  const after = faults.take(facts, "after");
  return after === undefined ? real : faultAnswer(after);
}

function faultAnswer(fault: AnswerFault): Answer {
  return problemAnswer(new Problem(fault.status, fault.message, { headers: fault.headers ?? {} }));
}

interface Question {
  readonly request: HttpRequest;
  readonly found: FoundRoute | undefined;
  readonly body: unknown;
}

async function answerOf(site: Site, question: Question): Promise<Answer> {
  const { request, found } = question;
  try {
    const caller = authenticate(site.world, request.headers["authorization"]);
    if (found === undefined) throw notFound();
    const answer = await answerCall(found.route, {
      world: site.world,
      faults: site.faults,
      budget: site.budget,
      caller,
      url: request.url,
      params: found.params,
      accept: request.headers["accept"] ?? "",
      body: question.body,
      redeliver: (id) => site.webhooks.redeliver(id),
    });
    return withBudget(site, caller, answer);
  } catch (error) {
    if (error instanceof Problem) return problemAnswer(error);
    throw error;
  }
}

function withBudget(site: Site, caller: Caller, answer: Answer): Answer {
  const spending = site.budget.spend(caller, "core", 1);
  return { ...answer, headers: { ...answer.headers, ...budgetHeaders("core", spending) } };
}

function toResponse({ status, body, raw, headers }: Answer): HttpResponse {
  if (raw === undefined) return jsonResponse(status, body, headers);
  const type = "application/vnd.github.raw; charset=utf-8";
  return { status, headers: { "content-type": type, ...headers }, body: raw };
}

/** A client that has this very answer gets 304 and no body. */
function conditional(request: HttpRequest, response: HttpResponse): HttpResponse {
  if (request.method !== "GET" || response.status !== 200) return response;
  const etag = `"${createHash("sha256").update(response.body).digest("hex")}"`;
  const known = (request.headers["if-none-match"] ?? "").replaceAll("W/", "");
  const headers = { ...response.headers, etag };
  if (!known.split(/, */).includes(etag)) return { ...response, headers };
  return { status: 304, headers, body: Buffer.alloc(0) };
}

function observe(site: Site, { request, found, body }: Question, response: HttpResponse): void {
  const responseBody = parseJson(response.body);
  site.observer.rest?.({
    method: request.method,
    path: `${request.url.pathname}${request.url.search}`,
    route: found?.route.template,
    status: response.status,
    responseHeaders: response.headers,
    ...(body === undefined ? {} : { requestBody: body }),
    ...(responseBody === undefined ? {} : { responseBody }),
  });
}
