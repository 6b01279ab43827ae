import { pino } from "pino";
import type { Logger } from "pino";
import { renderLogLine } from "./log-line.ts";

export interface LogOptions {
  readonly level: string;
  /** A word that is neither `pretty` nor `json` leaves it to whether somebody looks on. */
  readonly format: string | undefined;
  readonly to: "stdout" | "stderr";
}

/** Opens a log that is written at once: what was said before the process ends is never lost. */
export function openLog(
  { level, format, to }: LogOptions,
  { NO_COLOR: plain = "" }: Readonly<Record<string, string | undefined>>,
): Logger {
  const stream = process[to];
  const isPretty = format === "pretty" || (format !== "json" && stream.isTTY);
  if (!isPretty) return pino({ level }, pino.destination(to === "stdout" ? 1 : 2));
  const style = { colours: stream.isTTY && plain === "", clock: timeOfDay };
  return pino({ level }, { write: (json) => stream.write(`${renderLogLine(json, style)}\n`) });
}

/** Writes local time, as the clock of the one who looks on shows it. */
function timeOfDay(at: number): string {
  const date = new Date(at);
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}
