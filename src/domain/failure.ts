import { assertNever } from "../shared/assert-never.ts";
import type { RunOutcome } from "./run.ts";

/** Why a run came to nothing. Each class is counted for itself. */
export type FailureClass =
  "agent" | "verify" | "scope" | "no-changes" | "timeout" | "stall" | "vanished" | "infrastructure";

/** Undefined when nothing failed: it went well, a person or a stop of the app ended it, or its provider said not now. */
export function failureClassOf(outcome: RunOutcome): FailureClass | undefined {
  switch (outcome.kind) {
    case "failed":
    case "disk-limit":
      return "agent";
    case "verify-failed":
      return "verify";
    case "out-of-scope":
      return "scope";
    case "no-changes":
      return "no-changes";
    case "timed-out":
      return "timeout";
    case "stalled":
      return "stall";
    case "lost":
      if (outcome.interrupted === true) return undefined;
      return outcome.vanished === true ? "vanished" : "infrastructure";
    case "succeeded":
    case "provider-limited":
    case "cancelled":
      return undefined;
    default:
      return assertNever(outcome);
  }
}

/** Whether the failure may be the world's doing: it uses up no attempt. */
export function isForgiven(failureClass: FailureClass): boolean {
  return failureClass === "infrastructure" || failureClass === "vanished";
}

/** The same text for failures that are the same to a person: times, counters, ids and folders of a run left out. */
export function failureSignature(outcome: RunOutcome): string {
  switch (outcome.kind) {
    case "failed":
      return `failed ${outcome.exitCode ?? "killed"}: ${withoutDetails(outcome.tail)}`;
    case "verify-failed":
      return `verify-failed: ${withoutDetails(outcome.tail)}`;
    case "out-of-scope":
      return `out-of-scope: ${outcome.paths.toSorted().join("\n")}`;
    case "lost":
      return `lost: ${withoutDetails(outcome.reason)}`;
    case "no-changes":
    case "timed-out":
    case "stalled":
    case "disk-limit":
    case "succeeded":
    case "provider-limited":
    case "cancelled":
      return outcome.kind;
    default:
      return assertNever(outcome);
  }
}

/** Long names of letters and digits are ids; every number may be a time, a size or a port. */
function withoutDetails(text: string): string {
  return text
    .replaceAll(/\/[^\s:'"]*\//g, "/")
    .replaceAll(/\b(?=[a-z-]*\d)[0-9a-f-]{7,}\b/gi, "#")
    .replaceAll(/\d+/g, "#")
    .replaceAll(/\s+/g, " ")
    .trim();
}
