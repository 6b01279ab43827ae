import { cleanText, cutEnd, cutStart } from "../../shared/clean-text.ts";

/** An event is one line of a program's output that is a JSON object with a type. */
export type AgentEvent = Readonly<Record<string, unknown>> & { readonly type: string };

// Tool results can be megabytes, but the parts of an event that we read are short.
const MAX_LINE_LENGTH = 1_048_576;
const MAX_MESSAGE_LENGTH = 4000;
const MAX_ERROR_LENGTH = 1000;

/** Returns undefined for anything else, such as a warning, half a line or noise. */
export function parseEvent(line: string): AgentEvent | undefined {
  const text = line.trim();
  if (!text.startsWith("{") || text.length > MAX_LINE_LENGTH) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return textAt(value, "type") === undefined ? undefined : (value as AgentEvent);
  } catch {
    // The line was cut off, or it is words that begin with a brace.
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

/** Returns a number that is never negative, and never too large to add up exactly. */
export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = valueAt(value, ...path);
  const usable = typeof found === "number" && found >= 0 && found <= Number.MAX_SAFE_INTEGER;
  return usable ? found : undefined;
}

/** Returns the end of a message, where the summary is. */
export function messageAt(value: unknown, ...path: readonly string[]): string | undefined {
  const text = textAt(value, ...path);
  return text === undefined ? undefined : cutStart(cleanText(text).trim(), MAX_MESSAGE_LENGTH);
}

export function errorText(text: string): string {
  return cutEnd(cleanText(text).trim(), MAX_ERROR_LENGTH);
}

/** Accepts nothing that looks like an option or a path, because the session becomes an argument of a later command line. */
export function sessionAt(value: unknown, ...path: readonly string[]): string | undefined {
  const text = textAt(value, ...path);
  return text !== undefined && /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(text) ? text : undefined;
}
