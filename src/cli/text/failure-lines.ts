import { printable } from "./terminal-text.ts";

export interface ShownFailure {
  /** It names the task as the reader knows it. */
  readonly task: string;
  readonly runner: string;
  readonly outcome: string;
  readonly tail: readonly string[];
  readonly logPath: string | undefined;
}

/** Shows why a run failed: one line with the place of its log, and below it what it said last. */
export function failureLines(failure: ShownFailure): readonly string[] {
  const { task, runner, outcome, tail, logPath } = failure;
  const log = logPath === undefined ? "" : `; log: ${logPath}`;
  const head = printable(`${task}: the last run of ${runner} ended as ${outcome}${log}`);
  return [head, ...tail.map((line) => `  | ${printable(line)}`)];
}
