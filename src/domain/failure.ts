import { assertNever } from "../shared/assert-never.ts";
import { cleanText, cutStart } from "../shared/clean-text.ts";
import { formatBytes } from "../shared/format.ts";
import { plainName } from "../shared/quote.ts";
import { redact } from "../shared/redact.ts";
import type { RunOutcome } from "./run.ts";

const MAX_TAIL_LINES = 12;
const MAX_TAIL_LENGTH = 2000;

/** Says why a run came to nothing. Each class is counted for itself. */
export type FailureClass =
  | "agent"
  | "verify"
  | "score"
  | "scope"
  | "no-changes"
  | "timeout"
  | "stall"
  | "vanished"
  | "infrastructure";

/** Returns undefined when nothing failed: it went well, a person or a stop of the app ended it, its provider said not now, or its runner has to be logged in first. */
export function failureClassOf(outcome: RunOutcome): FailureClass | undefined {
  switch (outcome.kind) {
    case "failed":
    case "disk-limit":
      return "agent";
    case "verify-failed":
      return "verify";
    case "not-scored":
      return "score";
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
    case "not-logged-in":
    case "cancelled":
      return undefined;
    default:
      return assertNever(outcome);
  }
}

/** Tells whether the failure may be the world's doing: it uses up no attempt. */
export function isForgiven(failureClass: FailureClass): boolean {
  return failureClass === "infrastructure" || failureClass === "vanished";
}

/** Returns the same text for failures that are the same to a person: it leaves out times, counters, ids and folders of a run. */
export function failureSignature(outcome: RunOutcome): string {
  switch (outcome.kind) {
    case "failed":
      return `failed ${outcome.exitCode ?? "killed"}: ${withoutDetails(outcome.tail)}`;
    case "verify-failed":
      return `verify-failed: ${withoutDetails(outcome.tail)}`;
    case "not-scored":
      return `not-scored: ${withoutDetails(outcome.tail)}`;
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
    case "not-logged-in":
    case "cancelled":
      return outcome.kind;
    default:
      return assertNever(outcome);
  }
}

/** Says how a run ended, as the beginning of a sentence for people. */
export function describeOutcome(outcome: RunOutcome): string {
  switch (outcome.kind) {
    case "succeeded":
      return "the run succeeded";
    case "no-changes":
      return "the runner ended without changing anything";
    case "out-of-scope":
      return describeOutOfScope(outcome);
    case "verify-failed":
      return "the verify command failed on the change";
    case "not-scored":
      return "the score command failed on the change, or printed no number";
    case "failed":
      return outcome.exitCode === undefined
        ? "the runner was killed"
        : `the runner ended with exit code ${outcome.exitCode}`;
    case "timed-out":
      return `the runner took longer than ${Math.round(outcome.afterMs / 1000)} s`;
    case "stalled":
      return `the runner made no progress for ${Math.round(outcome.afterMs / 1000)} s${outcome.why === undefined ? "" : `: ${outcome.why}`}`;
    case "not-logged-in":
      return `the runner ${outcome.runner} is not logged in: its provider refused its key, or it has none`;
    case "disk-limit":
      return describeDiskLimit(outcome);
    case "provider-limited":
      return "the provider's limit is reached";
    case "cancelled":
      return outcome.reason;
    case "lost":
      return outcome.reason;
    default:
      return assertNever(outcome);
  }
}

/** Returns what the program printed last, or what its agent said, as it is in the store. It is empty where nothing explains the outcome. */
export function tailOf(outcome: RunOutcome): string {
  switch (outcome.kind) {
    case "failed":
    case "verify-failed":
    case "not-scored":
    case "not-logged-in":
    case "timed-out":
    case "stalled":
    case "lost":
      return (outcome.tail ?? "").trim();
    case "no-changes":
      return outcome.notes.trim();
    case "out-of-scope":
    case "disk-limit":
    case "succeeded":
    case "provider-limited":
    case "cancelled":
      return "";
    default:
      return assertNever(outcome);
  }
}

/** Returns the last lines for a terminal: no control characters, nothing that looks like a secret, and few of them. */
export function lastLines(outcome: RunOutcome): readonly string[] {
  // The text is cut twice: the first cut bounds the work of hiding, and the second removes a secret that the first cut in two.
  const safe = redact(cleanText(cutStart(tailOf(outcome), MAX_TAIL_LENGTH * 2)));
  const lines = cutStart(safe.trim(), MAX_TAIL_LENGTH).split("\n");
  return lines
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .slice(-MAX_TAIL_LINES);
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

function describeOutOfScope({ paths, lfs }: Extract<RunOutcome, { kind: "out-of-scope" }>): string {
  switch (lfs) {
    case undefined:
      return `the runner changed ${listed(paths)} outside the declared files`;
    case "plain":
      return `the runner wrote ${listed(paths)}, kept by Git LFS: it would land as a plain file in a pointer's place, so a person has to change it, or git-lfs has to be installed on the server`;
    case "no-content":
      return `the runner wrote ${listed(paths)}, kept by Git LFS, as a pointer to content that nobody has`;
    default:
      return assertNever(lfs);
  }
}

function describeDiskLimit({
  limitBytes,
  fresh,
}: Extract<RunOutcome, { kind: "disk-limit" }>): string {
  const limit = `${formatBytes(limitBytes)} of disk`;
  return fresh === true
    ? `workspace and HOME held more than ${limit} before anything ran in them, which is all that a run may use (maxRunDisk)`
    : `workspace, HOME and temporary folder of the run together took more than the ${limit} that it may use (maxRunDisk)`;
}

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).map(plainName).join(", ");
  return paths.length > 3 ? `${shown} and ${paths.length - 3} more` : shown;
}
