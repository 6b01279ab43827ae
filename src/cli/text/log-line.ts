import * as z from "zod";
import { cutText, printable } from "./terminal-text.ts";

const LEVELS: Readonly<Record<number, string>> = {
  10: "TRACE",
  20: "DEBUG",
  30: "INFO",
  40: "WARN",
  50: "ERROR",
  60: "FATAL",
};
/** Terminals show them in yellow and red. */
const COLOURS: Readonly<Record<string, string>> = { WARN: "33", ERROR: "31", FATAL: "31" };

/** A person who needs more of a value reads the log as JSON. */
const MAX_VALUE_WIDTH = 500;
const INDENT = "    ";
const SAID_BY_STACK = new Set(["type", "name"]);
/** The process is the one whose output is read, and the error is shown below the line. */
const LEFT_OUT = new Set(["level", "time", "pid", "hostname", "msg", "err", "v"]);

const record = z.looseObject({
  level: z.number().catch(30),
  time: z.number().catch(0),
  msg: z.string().catch(""),
  err: z.unknown().optional(),
});
const error = z.looseObject({ stack: z.string().optional(), message: z.string().optional() });

export interface LineStyle {
  readonly colours: boolean;
  /** It writes the time of day. */
  readonly clock: (at: number) => string;
}

/** Writes one line of pino's JSON for people: time, level, message, fields. An error's stack follows, indented. */
export function renderLogLine(json: string, { colours, clock }: LineStyle): string {
  const { level, time, msg, err, ...rest } = record.parse(JSON.parse(json));
  const name = LEVELS[level] ?? String(level);
  const colour = colours ? COLOURS[name] : undefined;
  const shown = name.padEnd(5);
  const fields = Object.entries(rest).filter(([key]) => !LEFT_OUT.has(key));
  const { facts, stack } = errorParts(err);
  const head = [
    clock(time),
    colour === undefined ? shown : `\u001b[${colour}m${shown}\u001b[0m`,
    printable(msg),
  ];
  const line = [head.join(" "), ...[...fields, ...facts].flatMap(fieldText)].join("  ").trimEnd();
  return [line, ...stack.map((one) => `${INDENT}${printable(one)}`.trimEnd())].join("\n");
}

interface ErrorParts {
  readonly facts: readonly (readonly [string, unknown])[];
  readonly stack: readonly string[];
}

/** A stack begins with the error's type and message, so neither is said again beside it. */
function errorParts(err: unknown): ErrorParts {
  if (err === undefined) return { facts: [], stack: [] };
  const read = error.safeParse(err);
  if (!read.success) return { facts: [["err", err]], stack: [] };
  const { stack = "", message, ...rest } = read.data;
  const facts = Object.entries(rest)
    .filter(([key, value]) => !SAID_BY_STACK.has(key) && typeof value !== "object")
    .map(([key, value]) => [`err.${key}`, value] as const);
  if (stack === "") return { facts: [["err", message], ...facts], stack: [] };
  const lines = stack.split("\n").map((one) => one.replace(/^\s{4}/, "  "));
  return { facts, stack: lines.filter((one) => one.trim() !== "") };
}

function fieldText([key, value]: readonly [string, unknown]): readonly string[] {
  if (value === undefined) return [];
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const isPlain = typeof value !== "string" || /^[^\s"=]+$/.test(value);
  const written = printable(isPlain ? text : JSON.stringify(text));
  return [`${printable(key)}=${cutText(written, MAX_VALUE_WIDTH)}`];
}
