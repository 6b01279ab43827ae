import { cleanText, cutEnd, cutStart } from "../../shared/clean-text.ts";

/** One line of a program's output that is a JSON object with a type. */
export type AgentEvent = Readonly<Record<string, unknown>> & { readonly type: string };

// Tool results can be megabytes; what we read of an event is short.
const LONGEST_LINE = 1_048_576;
const LONGEST_MESSAGE = 4000;
const LONGEST_ERROR = 1000;

/** Undefined for anything else: a warning, a half line, noise. */
export function parseEvent(line: string): AgentEvent | undefined {
  const text = line.trim();
  if (!text.startsWith("{") || text.length > LONGEST_LINE) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return textAt(value, "type") === undefined ? undefined : (value as AgentEvent);
  } catch {
    // A line that was cut off, or words that begin with a brace.
    return undefined;
  }
}

export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Readonly<Record<string, unknown>>)[key]
        : undefined,
    value,
  );
}

export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, ...path);
  return typeof found === "string" && found !== "" ? found : undefined;
}

/** Never negative, never beyond what adds up exactly. */
export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = valueAt(value, ...path);
  const usable = typeof found === "number" && found >= 0 && found <= Number.MAX_SAFE_INTEGER;
  return usable ? found : undefined;
}

/** The end of a message, where the summary is. */
export function messageAt(value: unknown, ...path: readonly string[]): string | undefined {
  const text = textAt(value, ...path);
  return text === undefined ? undefined : cutStart(cleanText(text).trim(), LONGEST_MESSAGE);
}

export function errorText(text: string): string {
  return cutEnd(cleanText(text).trim(), LONGEST_ERROR);
}

/** It becomes an argument of a later command line: nothing that looks like an option or a path. */
export function sessionAt(value: unknown, ...path: readonly string[]): string | undefined {
  const text = textAt(value, ...path);
  return text !== undefined && /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(text) ? text : undefined;
}
