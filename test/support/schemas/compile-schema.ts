import type { ErrorObject, ValidateFunction } from "ajv";
import formats from "ajv-formats";
import { Ajv2019 } from "ajv/dist/2019.js";
import { openApi } from "./openapi.ts";
import type { JsonSchema } from "./openapi.ts";
import { componentId, strictSchema } from "./strict-schema.ts";
import type { Closing } from "./strict-schema.ts";

/** Problems of a value, one line each; none when it fits. */
export type Check = (value: unknown) => readonly string[];

const OPTIONS = { strict: false, allErrors: true, logger: false } as const;
const bodies = withFormats(new Ajv2019(OPTIONS));
const parameters = withFormats(new Ajv2019({ ...OPTIONS, coerceTypes: "array" }));

function withFormats(ajv: Ajv2019): Ajv2019 {
  // Bots have addresses like 49699333+dependabot[bot]@users.noreply.github.com, which the library's format refuses.
  return formats.default(ajv).addFormat("email", /^[^@\s]+@[^@\s]+$/);
}

/** Compiles a schema of GitHub's description; components are added when first referred to, since most never are. */
export function compileBody(schema: JsonSchema): Check {
  return check(compile(bodies, schema, "closed"));
}

/** Parameters arrive as text: `"7"` fits an integer here. */
export function compileParameters(schema: JsonSchema): Check {
  return check(compile(parameters, schema, "closed"));
}

function compile(ajv: Ajv2019, schema: JsonSchema, closing: Closing): ValidateFunction {
  const strict = strictSchema(schema, closing);
  addComponents(ajv, strict);
  return ajv.compile(strict);
}

function addComponents(ajv: Ajv2019, strict: unknown): void {
  for (const id of referencesIn(strict)) {
    if (ajv.schemas[id] !== undefined) continue;
    const [name, closing] = id.split("~") as [string, Closing];
    const schema = openApi().components.schemas[name];
    if (schema === undefined) throw new Error(`no component ${name} in GitHub's description`);
    const component = strictSchema(schema, closing);
    ajv.addSchema(component, componentId(name, closing));
    addComponents(ajv, component);
  }
}

function referencesIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === "$ref" && typeof member === "string" ? [member] : referencesIn(member),
  );
}

function check(validate: ValidateFunction): Check {
  return (value) => (validate(value) ? [] : problemsIn(validate.errors ?? []));
}

/** Alternatives that did not fit report themselves, their own errors are enough. */
function problemsIn(errors: readonly ErrorObject[]): readonly string[] {
  const telling = errors.filter((error) => error.keyword !== "anyOf");
  return [...new Set((telling.length > 0 ? telling : errors).map(problem))];
}

function problem(error: ErrorObject): string {
  const at = error.instancePath;
  switch (error.keyword) {
    case "additionalProperties":
      return `${at}/${String(error.params["additionalProperty"])} is not documented`;
    case "unevaluatedProperties":
      return `${at}/${String(error.params["unevaluatedProperty"])} is not documented`;
    case "required":
      return `${at}/${String(error.params["missingProperty"])} is missing`;
    case "enum":
      return `${at} must be one of ${JSON.stringify(error.params["allowedValues"])}`;
    default:
      return `${at === "" ? "/" : at} ${error.message ?? "does not fit"}`;
  }
}
