import { parseEvent } from "../presets/event.ts";
import type { AgentReport } from "../presets/agent-report.ts";

const MAX_PLAIN_LINES = 20;

/** Keeps the last lines that are no events: warnings, and what a program prints when it cannot even begin. */
export class PlainLines {
  readonly #lines: string[] = [];

  add(line: string): void {
    // Half of an event is of no use to anybody.
    if (line.trim() === "" || line.trimStart().startsWith("{") || parseEvent(line) !== undefined)
      return;
    this.#lines.push(line.trimEnd());
    if (this.#lines.length > MAX_PLAIN_LINES) this.#lines.shift();
  }

  get text(): string {
    return this.#lines.join("\n");
  }
}

/** Returns what a program that prints events said last, in words: its own reason for a bad end, or else all that can be read of it. */
export function readableTail(report: AgentReport, plain: string): string {
  const { terminal, error, lastMessage } = report;
  if (terminal === "bad" && error !== undefined) return error;
  const parts = [plain, lastMessage, error].flatMap((part) => part ?? []);
  return [...new Set(parts)].filter((part) => part !== "").join("\n");
}
