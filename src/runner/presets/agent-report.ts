import type { Instant } from "../../domain/ids.ts";
import type { Usage } from "../../domain/run.ts";
import { parseEvent } from "./event.ts";
import type { AgentEvent } from "./event.ts";

/** A runner says this about its own work. Its preset's parser reads it from its output. */
export interface AgentReport {
  /** `none` means that the output holds no last word, because there is none or because it was cut off. */
  readonly terminal: "good" | "bad" | "none";
  /** With this id the same conversation can be taken up again. */
  readonly session: string | undefined;
  readonly usage: Usage | undefined;
  readonly lastMessage: string | undefined;
  /** The provider refused for now. `until` is set where it told when to come back. */
  readonly limit: { readonly until: Instant | undefined } | undefined;
  readonly error: string | undefined;
  /** The program has no key, or its provider does not accept it. */
  readonly loggedOut: boolean;
}

/** Reads what a program prints: one event a line, each folded into the report so far. */
export interface OutputParser {
  /** A success needs the program's own last word, too. Without events only exit code and diff count. */
  readonly tellsEnd: boolean;
  readonly read: (report: AgentReport, event: AgentEvent, at: Instant) => AgentReport;
  /** Tells whether a line shows that work goes on: a retry does not. */
  readonly isProgress: (line: string) => boolean;
  /** The program exits with these codes when it has no key or a wrong one. */
  readonly loggedOutCodes?: readonly number[];
}

/** This is the report of a runner that says nothing that we can read. */
export const NO_REPORT: AgentReport = {
  terminal: "none",
  session: undefined,
  usage: undefined,
  lastMessage: undefined,
  limit: undefined,
  error: undefined,
  loggedOut: false,
};

/** This parser is for programs whose output means nothing to us. */
export const NO_PARSER: OutputParser = {
  tellsEnd: false,
  read: (report) => report,
  isProgress: () => true,
};

/** Returns the report after one more line. `at` is when the run ended, for limits that are told as a wait. */
export function readLine(
  parser: OutputParser,
  { report, at }: { readonly report: AgentReport; readonly at: Instant },
  line: string,
): AgentReport {
  const event = parseEvent(line);
  return event === undefined ? report : parser.read(report, event, at);
}

/** Only events that are no retries show progress: noise between them does not. */
export function eventProgress(isRetry: (event: AgentEvent) => boolean): (line: string) => boolean {
  return (line) => {
    const event = parseEvent(line);
    return event !== undefined && !isRetry(event);
  };
}
