import * as z from "zod";
import { operatorConfigSchema, repoConfigSchema } from "./schema.ts";

/** The part of JSON Schema that ours are made of. */
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

/** Describes `.github/wavetrain.yml` to editors. */
export function repoJsonSchema(): JsonSchema {
  return published(repoConfigSchema, "Wavetrain: settings of a repository");
}

/** Describes the operator's file to editors. */
export function operatorJsonSchema(): JsonSchema {
  return published(operatorConfigSchema, "Wavetrain: settings of the operator");
}

/** The schema of the value at a path; undefined where the schema has no such place. */
export function schemaAt(
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

// What a person may write, not what it is read as: durations stay texts, defaults stay optional.
function published(schema: z.ZodType, title: string): JsonSchema {
  return z.toJSONSchema(schema.meta({ title }), { io: "input" }) as JsonSchema;
}
