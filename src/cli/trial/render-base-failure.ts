import { cleanText } from "../../shared/clean-text.ts";
import { printable } from "../text/terminal-text.ts";
import type { BaseFailure } from "./check-base.ts";

const TAIL_LINES = 12;

export function renderBaseFailure({ reason, tail, log }: BaseFailure): string {
  const lines = lastLines(tail, TAIL_LINES).map((line) => `  ${line}`);
  const whole = log === undefined ? [] : [`The whole output: ${log}`];
  return [`error: ${reason}`, ...lines, ...whole].join("\n");
}

function lastLines(text: string, most: number): readonly string[] {
  const lines = cleanText(text)
    .split("\n")
    .map((line) => printable(line).trimEnd());
  return lines.filter((line) => line !== "").slice(-most);
}
