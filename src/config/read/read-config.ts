import * as z from "zod";
import { quote } from "../../shared/quote.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import type { ConfigProblem } from "./config-problem.ts";
import { expectationOf, unknownKey } from "./expectation.ts";
import { isSecret } from "./postgres-url.ts";
import { readYaml } from "./yaml-source.ts";
import type { YamlSource } from "./yaml-source.ts";

export interface ConfigText {
  readonly text: string;
  /** Messages name the file by this. */
  readonly file: string;
}

/** This is the part of JSON Schema that our schemas use. */
export interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

interface ConfigKind<T> {
  readonly schema: z.ZodType<T>;
  readonly described: () => JsonSchema;
}

/** This is enough to put a file right; hostile files have thousands of problems. */
const MAX_PROBLEMS = 20;

/** Turns text into settings, or lists everything that is wrong with it in the order of its lines. */
export function readConfig<T>(
  { schema, described }: ConfigKind<T>,
  { text, file }: ConfigText,
): Result<T, readonly ConfigProblem[]> {
  const source = readYaml(text, file);
  if (source.problems.length > 0) return fail(source.problems.slice(0, MAX_PROBLEMS));
  const parsed = schema.safeParse(source.value ?? {});
  if (parsed.success) return ok(parsed.data);
  const known = described();
  const problems = parsed.error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? unknownKeyProblems(issue, { source, file, known })
      : [valueProblem(issue, source, file)],
  );
  const inOrder = problems.sort((a, b) => a.line - b.line || a.column - b.column);
  return fail(inOrder.slice(0, MAX_PROBLEMS));
}

function unknownKeyProblems(
  issue: z.core.$ZodIssueUnrecognizedKeys,
  { source, file, known }: { source: YamlSource; file: string; known: JsonSchema },
): readonly ConfigProblem[] {
  const keys = Object.keys(schemaAt(known, issue.path)?.properties ?? {});
  return issue.keys.map((key) => ({
    file,
    ...source.placeOf([...issue.path, key], "key"),
    path: pathText([...issue.path, key]),
    message: unknownKey(key, keys),
  }));
}

function valueProblem(issue: z.core.$ZodIssue, source: YamlSource, file: string): ConfigProblem {
  const found = valueAt(source.value, issue.path);
  const part = issue.code === "invalid_key" ? "key" : "value";
  const quiet = part === "key" || isSecret(issue);
  return {
    file,
    ...source.placeOf(issue.path, part),
    path: pathText(issue.path),
    message: `${expectationOf(issue)}${quiet ? "" : foundText(found)}`,
  };
}

function foundText(found: unknown): string {
  if (found === undefined) return "; it is missing";
  if (typeof found === "string") return `; found ${quote(found)}`;
  if (typeof found === "number" || typeof found === "boolean") return `; found ${String(found)}`;
  return Array.isArray(found) ? "; found a list" : "; found a group of keys";
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, step) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, step)
        ? (inner as Record<PropertyKey, unknown>)[step]
        : undefined,
    value,
  );
}

function pathText(path: readonly PropertyKey[]): string {
  return path.map(String).join(".");
}

/** Returns the schema of the value at a path, or undefined where the schema has no such place. */
function schemaAt(
  schema: JsonSchema | undefined,
  path: readonly PropertyKey[],
): JsonSchema | undefined {
  return path.reduce<JsonSchema | undefined>(memberOf, schema);
}

function memberOf(schema: JsonSchema | undefined, key: PropertyKey): JsonSchema | undefined {
  if (typeof key === "number") return schema?.items;
  const rest = schema?.additionalProperties;
  return schema?.properties?.[String(key)] ?? (typeof rest === "object" ? rest : undefined);
}

/** Describes to editors what a person may write, not what it becomes when it is read: durations stay texts, defaults stay optional. */
export function publishedSchema(schema: z.ZodType, title: string): JsonSchema {
  return z.toJSONSchema(schema.meta({ title }), { io: "input" }) as JsonSchema;
}
