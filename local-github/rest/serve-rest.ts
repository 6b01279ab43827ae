import { createHash } from "node:crypto";
import { payerOf } from "../auth/caller.ts";
import type { Caller } from "../auth/caller.ts";
import { restCost } from "../limits/cost.ts";
import type { RequestCost } from "../limits/cost.ts";
import { budgetHeaders } from "../model/budget.ts";
import { notFound, Problem } from "../model/problem.ts";
import { fullName } from "../model/repository.ts";
import type { World } from "../model/world.ts";
import type { Site } from "../site/site.ts";
import type { RequestFacts } from "../wire/faults.ts";
import { jsonResponse, parseJson } from "../wire/http.ts";
import type { HttpRequest, HttpResponse } from "../wire/http.ts";
import { answerCall } from "./answer-call.ts";
import { findRoute } from "./find-route.ts";
import type { FoundRoute } from "./find-route.ts";
import { orRefusal } from "./request/problem-answer.ts";
import type { Answer } from "./request/route.ts";
import { StaleReads } from "./request/stale-reads.ts";
import { answerWithFaults, serveApi } from "./serve-api.ts";

/** Answers the REST API, with armed faults, the route's own answer, or 304 for an answer that the client already has. */
export function createRest(site: Site): (request: HttpRequest) => Promise<HttpResponse> {
  const stale = new StaleReads(site.faults);
  return async (request) => {
    const question = questionOf(site, request);
    const { found, facts } = question;
    const cost = restCost(request.method, facts.route);
    count(site, request.method, found);
    site.counts.contentWrites += cost.content;
    const latencyMs = site.faults.latency.rest;
    const response = await serveApi(site, { request, facts, cost, latencyMs }, async (caller) => {
      const answer = await answerWithFaults(site, facts, async () => {
        const fresh = await orRefusal(async () => answerOf(site, caller, question));
        return withBudget(site, caller, stale.pass(facts, request.url.href, fresh));
      });
      const response = toResponse(answer);
      const given = isUnversioned(site, facts) ? response : conditional(request, response);
      return given.status === 304 ? notCharged(site, caller, { response: given, cost }) : given;
    });
    observe(site, question, response);
    return response;
  };
}

interface Question {
  readonly request: HttpRequest;
  readonly found: FoundRoute | undefined;
  readonly facts: RequestFacts;
}

function questionOf({ world }: Site, asked: HttpRequest): Question {
  const request = { ...asked, url: byName(world, asked.url) };
  const { method, url } = request;
  const found = findRoute(method, url.pathname);
  const route = found?.route.template ?? "";
  const body = parseJson(request.body);
  return { request, found, facts: { method, path: url.pathname, route, body } };
}

/** Whatever is asked of `/repos/owner/name/…` may be asked of `/repositories/12/…`, too: redirects lead there. */
function byName(world: World, url: URL): URL {
  const [, id, rest = ""] = /^\/repositories\/(\d+)(\/.*)?$/.exec(url.pathname) ?? [];
  const repository = [...world.repositories.values()].find((one) => String(one.id) === id);
  if (repository === undefined) return url;
  return new URL(`/repos/${fullName(repository)}${rest}${url.search}`, url);
}

/** Counts the request. Only changes of repositories are writes: making a token changes nothing that people see. */
function count({ counts }: Site, method: string, found: FoundRoute | undefined): void {
  counts.rest += 1;
  if (method !== "GET" && found?.route.for === "repository") counts.writes += 1;
}

async function answerOf(
  site: Site,
  caller: Caller,
  { request, found, facts }: Question,
): Promise<Answer> {
  refuseUnknownVersion(request);
  if (found === undefined) throw notFound();
  return answerCall(found.route, {
    world: site.world,
    faults: site.faults,
    caller,
    method: request.method,
    url: request.url,
    params: found.params,
    accept: request.headers["accept"] ?? "",
    body: facts.body,
    redeliver: (id) => site.webhooks.redeliver(id),
  });
}

const VERSIONS = ["2022-11-28", "2026-03-10"];

function refuseUnknownVersion({ headers }: HttpRequest): void {
  const version = headers["x-github-api-version"];
  if (version === undefined || VERSIONS.includes(version)) return;
  throw new Problem(400, `${version} is not a supported version of the REST API`);
}

function withBudget(site: Site, caller: Caller, answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, ...coreHeaders(site, caller) } };
}

/** Gives the cost back: an answer that the client already has does not count against the hour. */
function notCharged(
  site: Site,
  caller: Caller,
  { response, cost }: { readonly response: HttpResponse; readonly cost: RequestCost },
): HttpResponse {
  site.world.budget.giveBack(payerOf(caller), "core", cost.calls);
  return { ...response, headers: { ...response.headers, ...coreHeaders(site, caller) } };
}

function coreHeaders({ world }: Site, caller: Caller): Record<string, string> {
  return budgetHeaders("core", world.budget.look(payerOf(caller), "core"));
}

function toResponse({ status, body, raw, headers }: Answer): HttpResponse {
  if (raw === undefined) return jsonResponse(status, body, headers);
  const type = "application/vnd.github.raw; charset=utf-8";
  return { status, headers: { "content-type": type, ...headers }, body: raw };
}

function isUnversioned({ faults }: Site, { route }: RequestFacts): boolean {
  return faults.unversionedItems && route.includes("/projectsV2/");
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

function observe(site: Site, { request, found, facts }: Question, response: HttpResponse): void {
  const { body } = facts;
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
