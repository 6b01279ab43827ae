import type { RunOutcome } from "../domain/run.ts";
import { formatBytes } from "../shared/format-bytes.ts";
import { formatDuration } from "../shared/format-time.ts";
import { quotedLine, quotedLog } from "./quoted-text.ts";

const MOST_PATHS = 50;

/** What the next attempt should know of the one before. */
export function previousAttempt(outcome: RunOutcome): string {
  switch (outcome.kind) {
    case "succeeded":
      return "The attempt before was finished; what was said about it follows.";
    case "no-changes":
      return "The attempt before changed nothing. If nothing has to change, say why in your last message.";
    case "out-of-scope":
      return `The attempt before changed files that are not part of the task. Leave these as they are:\n${pathList(outcome.paths)}`;
    case "verify-failed":
      return `The attempt before did not pass the verification. The end of its output:\n\n${quotedLog(outcome.tail)}`;
    case "failed":
      return `The attempt before ended with an error. The end of its output:\n\n${quotedLog(outcome.tail)}`;
    case "timed-out":
      return `The attempt before was stopped after ${formatDuration(outcome.afterMs)}. Do what matters most first.`;
    case "disk-limit":
      return `The attempt before was stopped because its files took more than ${formatBytes(outcome.limitBytes)} of disk. Write less, and delete what is not needed any more.`;
    case "stalled":
    case "provider-limited":
    case "cancelled":
    case "lost":
      return "The attempt before was interrupted.";
  }
}

function pathList(paths: readonly string[]): string {
  return paths
    .slice(0, MOST_PATHS)
    .map((path) => `- ${quotedLine(path, 300)}`)
    .join("\n");
}
