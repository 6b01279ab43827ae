import { assertNever } from "../shared/assert-never.ts";
import { formatBytes } from "../shared/format-bytes.ts";
import { plainName } from "../shared/plain-name.ts";
import type { RunOutcome } from "./run.ts";

/** How a run ended, as the beginning of a sentence for people. */
export function describeOutcome(outcome: RunOutcome): string {
  switch (outcome.kind) {
    case "succeeded":
      return "the run succeeded";
    case "no-changes":
      return "the runner ended without changing anything";
    case "out-of-scope":
      return `the runner changed ${listed(outcome.paths)} outside the declared files`;
    case "verify-failed":
      return "the verify command failed on the change";
    case "failed":
      return outcome.exitCode === undefined
        ? "the runner was killed"
        : `the runner ended with exit code ${outcome.exitCode}`;
    case "timed-out":
      return `the runner took longer than ${Math.round(outcome.afterMs / 1000)} s`;
    case "stalled":
      return `the runner made no progress for ${Math.round(outcome.afterMs / 1000)} s`;
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
