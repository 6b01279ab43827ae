import { performance } from "node:perf_hooks";
import type { Delivery, DeliveryOutcome } from "../model/delivery.ts";

export async function post(
  url: string,
  request: Delivery["request"],
  { timeoutMs, stop }: { readonly timeoutMs: number; readonly stop: AbortSignal },
): Promise<DeliveryOutcome> {
  const start = performance.now();
  const duration = () => Math.round(performance.now() - start);
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: request.headers,
      body: request.body,
      signal: AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]),
    });
    const body = await answer.text();
    return { state: "answered", statusCode: answer.status, durationMs: duration(), body };
  } catch (error) {
    // Unreachable and too slow are outcomes of a delivery, not failures of this GitHub.
    const timedOut = error instanceof Error && error.name === "TimeoutError";
    const reason = timedOut ? "timed out" : "failed to connect to host";
    return { state: "failed", reason, durationMs: duration() };
  }
}
