import type { Change } from "../../domain/change.ts";
import type { RecordedEvent } from "../../ports/store.ts";
import { printable } from "../text/terminal-text.ts";

/** One line for people: number, time, subject, what happened and why. */
export function renderEvent({ seq, at, subject, change }: RecordedEvent): string {
  const time = new Date(at)
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/, "Z");
  return printable(`${seq}  ${time}  ${subject}  ${change.kind}${detailOf(change)}`);
}

function detailOf(change: Change): string {
  const from = "from" in change && "to" in change ? ` ${change.from} to ${change.to}` : "";
  const outcome = "outcome" in change ? ` ${change.outcome.kind}` : "";
  const reason = "reason" in change ? `: ${change.reason}` : "";
  return `${from}${outcome}${reason}`;
}
