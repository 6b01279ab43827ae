import type { Instant } from "../../domain/ids.ts";
import { NO_REPORT } from "../agent-report.ts";
import type { AgentReport } from "../agent-report.ts";
import { parseEvent } from "./event.ts";
import type { OutputParser } from "./output-parser.ts";

/** The report after one more line; `at` is when the run ended, for limits that are told as a wait. */
export function readLine(
  parser: OutputParser,
  { report, at }: { readonly report: AgentReport; readonly at: Instant },
  line: string,
): AgentReport {
  const event = parseEvent(line);
  return event === undefined ? report : parser.read(report, event, at);
}

export function readReport(
  parser: OutputParser,
  lines: readonly string[],
  at: Instant,
): AgentReport {
  return lines.reduce((report, line) => readLine(parser, { report, at }, line), NO_REPORT);
}
