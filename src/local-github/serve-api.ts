import { setTimeout as delay } from "node:timers/promises";
import { authenticate } from "./auth/authenticate.ts";
import type { Caller } from "./auth/caller.ts";
import { payerOf } from "./auth/caller.ts";
import type { AnswerFault, RequestFacts } from "./faults.ts";
import type { HttpRequest, HttpResponse } from "./http.ts";
import { jsonResponse } from "./http.ts";
import type { RequestCost } from "./limits/cost.ts";
import { LimitPassed } from "./limits/limit-passed.ts";
import { Problem } from "./model/problem.ts";
import { problemAnswer } from "./rest/problem-answer.ts";
import type { Answer } from "./rest/route.ts";
import type { Site } from "./site.ts";

export interface ApiRequest {
  readonly request: HttpRequest;
  readonly facts: RequestFacts;
  readonly cost: RequestCost;
  readonly latencyMs: number;
}

/** Answers who may ask, within GitHub's limits and at its pace. */
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
