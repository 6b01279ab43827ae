import type { Instant } from "../../domain/ids.ts";
import type { AgentReport } from "../agent-report.ts";
import { parseEvent } from "./event.ts";
import type { AgentEvent } from "./event.ts";

/** Reads what a program prints: one event a line, each folded into the report so far. */
export interface OutputParser {
  /** Whether the program's own last word is part of a success; without events only exit code and diff count. */
  readonly tellsEnd: boolean;
  readonly read: (report: AgentReport, event: AgentEvent, at: Instant) => AgentReport;
  /** Whether a line shows that work goes on: a retry does not. */
  readonly isProgress: (line: string) => boolean;
}

/** For programs whose output means nothing to us. */
export const NO_PARSER: OutputParser = {
  tellsEnd: false,
  read: (report) => report,
  isProgress: () => true,
};

/** Of a program that prints events: noise between them is no progress. */
export function eventProgress(isRetry: (event: AgentEvent) => boolean): (line: string) => boolean {
  return (line) => {
    const event = parseEvent(line);
    return event !== undefined && !isRetry(event);
  };
}
