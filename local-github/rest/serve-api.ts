import { setTimeout as delay } from "node:timers/promises";
import { authenticate } from "../auth/authenticate.ts";
import { payerOf } from "../auth/caller.ts";
import type { Caller } from "../auth/caller.ts";
import type { RequestCost } from "../limits/cost.ts";
import { LimitPassed } from "../limits/limit-passed.ts";
import { Problem } from "../model/problem.ts";
import type { Site } from "../site/site.ts";
import type { AnswerFault, RequestFacts } from "../wire/faults.ts";
import { jsonResponse } from "../wire/http.ts";
import type { HttpRequest, HttpResponse } from "../wire/http.ts";
import { problemAnswer } from "./request/problem-answer.ts";
import type { Answer } from "./request/route.ts";

export interface ApiRequest {
  readonly request: HttpRequest;
  readonly facts: RequestFacts;
  readonly cost: RequestCost;
  readonly latencyMs: number;
}

/** Checks who asks, holds the request to GitHub's limits and its pace, and then lets `respond` answer. */
export async function serveApi(
  site: Site,
  { request, facts, cost, latencyMs }: ApiRequest,
  respond: (caller: Caller) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  try {
    const caller = authenticate(site.world, request.headers["authorization"]);
    const asked = { payer: payerOf(caller), endpoint: facts.route, cost };
    return await site.gate.pass(asked, async () => {
      if (latencyMs > 0) await delay(latencyMs);
      return respond(caller);
    });
  } catch (error) {
    if (error instanceof LimitPassed) site.counts.refused += 1;
    if (!(error instanceof Problem)) throw error;
    const { status, body, headers } = problemAnswer(error);
    return jsonResponse(status, body, headers);
  }
}

/** Lets armed faults replace the answer, before or after the request took effect. */
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
