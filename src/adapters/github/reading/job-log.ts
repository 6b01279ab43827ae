import type { FailedStep } from "../../../domain/pull-review.ts";

/** This is a step of a job as GitHub tells of it. Its times are whole seconds. */
export interface JobStep {
  readonly name: string;
  readonly conclusion: string | null;
  readonly started_at?: string | null;
  readonly completed_at?: string | null;
}

interface LogLine {
  readonly at: number;
  readonly text: string;
}

const BAD: ReadonlySet<string | null> = new Set(["failure", "timed_out"]);
const MAX_STEPS = 2;
const MAX_LINES = 60;

const STAMP = /^\uFEFF?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?Z ?/;

/** Picks the last lines of the steps that failed. A log does not say where a step begins, so its times tell. */
export function failedSteps(steps: readonly JobStep[], log: string): readonly FailedStep[] {
  const lines = linesOf(log);
  return steps
    .filter(({ conclusion }) => BAD.has(conclusion))
    .slice(0, MAX_STEPS)
    .map((step) => ({ name: step.name, log: lastLines(linesOfStep(step, lines)) }))
    .filter(({ log: tail }) => tail !== "");
}

/** A line without a time belongs to the one before. */
function linesOf(log: string): readonly LogLine[] {
  let at = 0;
  return log.split(/\r?\n/).map((line) => {
    const stamp = STAMP.exec(line);
    if (stamp === null) return { at, text: line };
    at = Date.parse(`${stamp[1] ?? ""}Z`);
    return { at, text: line.slice(stamp[0].length) };
  });
}

/** Steps of one second overlap: the last error ends the one that failed, and its command begins it. */
function linesOfStep(step: JobStep, lines: readonly LogLine[]): readonly string[] {
  const from = Date.parse(step.started_at ?? "");
  const to = Date.parse(step.completed_at ?? "");
  const within = lines.filter(({ at }) => !(at < from) && !(at > to)).map(({ text }) => text);
  const error = within.findLastIndex((text) => text.startsWith("##[error]"));
  const ended = error === -1 ? within : within.slice(0, error + 1);
  const command = ended.findLastIndex((text) => text.startsWith("##[group]Run "));
  return command === -1 ? ended : ended.slice(command);
}

function lastLines(lines: readonly string[]): string {
  return lines
    .filter((text) => !text.startsWith("##[endgroup]"))
    .slice(-MAX_LINES)
    .map(withoutMark)
    .join("\n")
    .trim();
}

const SAID: Readonly<Record<string, string>> = { error: "Error: ", warning: "Warning: " };

/** Actions marks its own lines, as in `##[error]Process completed with exit code 1.` */
function withoutMark(text: string): string {
  return text.replace(/^##\[(\w+)\]/, (_, mark: string) => SAID[mark] ?? "");
}
