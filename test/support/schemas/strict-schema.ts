import { componentName } from "./openapi.ts";
import type { JsonSchema } from "./openapi.ts";

/**
 * What an object may carry besides what its schema lists. A branch of `allOf` sees only some of the members,
 * so it stays open and the object that holds the branches is closed instead.
 */
export type Closing = "closed" | "open";

const BRANCHES = ["allOf", "anyOf", "oneOf"] as const;

/** Rewrites an OpenAPI 3.0 schema as JSON Schema 2019-09 that refuses members which the schema does not list. */
export function strictSchema(schema: JsonSchema, closing: Closing): JsonSchema {
  if (typeof schema["$ref"] === "string") {
    return { $ref: componentId(componentName(schema["$ref"]), closing) };
  }
  const described = withMembers(schema);
  const branched = withBranches(schema, closing);
  return allowNull({ ...described, ...branched, ...closingOf(schema, closing) }, schema);
}

export function componentId(name: string, closing: Closing): string {
  return `${name}~${closing}`;
}

function withMembers(schema: JsonSchema): JsonSchema {
  const kept = Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => VALIDATING.has(keyword)),
  );
  const items = schema["items"] as JsonSchema | undefined;
  const rest = schema["additionalProperties"];
  return {
    ...kept,
    ...(items && { items: strictSchema(items, "closed") }),
    ...(hasMembers(schema) && { properties: strictMembers(schema) }),
    ...(typeof rest === "object" && {
      additionalProperties: strictSchema(rest as JsonSchema, "closed"),
    }),
    ...(typeof rest === "boolean" && { additionalProperties: rest }),
  };
}

const VALIDATING = new Set(
  (
    "type enum required format pattern minLength maxLength minimum maximum " +
    "minItems maxItems uniqueItems minProperties maxProperties"
  ).split(" "),
);

function strictMembers(schema: JsonSchema): JsonSchema {
  const members = schema["properties"] as Record<string, JsonSchema>;
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, strictSchema(member, "closed")]),
  );
}

/** Several alternatives of GitHub's `oneOf` fit the same answer, which says nothing about the answer: any fit will do. */
function withBranches(schema: JsonSchema, closing: Closing): JsonSchema {
  const alternativesOnly = !hasMembers(schema) && schema["allOf"] === undefined;
  const branchClosing = alternativesOnly ? closing : "open";
  return Object.fromEntries(
    BRANCHES.filter((keyword) => schema[keyword] !== undefined).map((keyword) => [
      keyword === "oneOf" ? "anyOf" : keyword,
      (schema[keyword] as JsonSchema[]).map((branch) => strictSchema(branch, branchClosing)),
    ]),
  );
}

function closingOf(schema: JsonSchema, closing: Closing): JsonSchema {
  if (closing === "open" || schema["additionalProperties"] !== undefined) return {};
  const branched = BRANCHES.some((keyword) => schema[keyword] !== undefined);
  if (!branched) return hasMembers(schema) ? { additionalProperties: false } : {};
  const combined = hasMembers(schema) || schema["allOf"] !== undefined;
  return combined ? { unevaluatedProperties: false } : {};
}

function hasMembers(schema: JsonSchema): boolean {
  return Object.keys((schema["properties"] as object | undefined) ?? {}).length > 0;
}

function allowNull(strict: JsonSchema, schema: JsonSchema): JsonSchema {
  if (schema["nullable"] !== true) return strict;
  if (typeof strict["type"] !== "string" || strict["anyOf"] !== undefined) {
    return { anyOf: [strict, { type: "null" }] };
  }
  const values = strict["enum"] as readonly unknown[] | undefined;
  return {
    ...strict,
    type: [strict["type"], "null"],
    ...(values && { enum: [...new Set([...values, null])] }),
  };
}
