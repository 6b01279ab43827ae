import { compileBody, compileParameters } from "./compile-schema.ts";
import type { Check } from "./compile-schema.ts";
import { CORRECTED_ANSWERS } from "./corrections.ts";
import { findOperation } from "./find-operation.ts";
import type { FoundOperation } from "./find-operation.ts";
import { componentName, jsonSchemaOf, openApi } from "./openapi.ts";
import type { JsonSchema, Parameter, Response } from "./openapi.ts";

export interface RestExchange {
  readonly method: string;
  /** Concrete path, with its query if it has one. */
  readonly path: string;
  readonly status: number;
  /** Parsed JSON; undefined when there is none. */
  readonly requestBody?: unknown;
  readonly responseBody?: unknown;
  readonly responseHeaders?: Readonly<Record<string, string>>;
}

/**
 * GitHub documents these once for the whole API and not at each operation: redirects, conditional requests, bodies that are not
 * JSON or not valid, authentication, missing permission, missing or hidden resource, rate limits, its own failures.
 */
const GENERAL_STATUSES = new Set([301, 304, 307, 400, 401, 403, 404, 422, 429, 500, 502, 503, 504]);

/** What in an exchange GitHub's description does not allow, as lines like `POST /x 201: /head/label must be string`. */
export function restViolations(exchange: RestExchange): readonly string[] {
  const [path = "", query = ""] = exchange.path.split("?", 2);
  const found = findOperation(exchange.method, path);
  if (found === undefined) return [`${exchange.method} ${path}: no such endpoint`];
  const request = isRefusal(exchange.status) ? [] : requestProblems(found, exchange, query);
  return [
    ...request.map((problem) => `${found.name} request: ${problem}`),
    ...responseProblems(found, exchange).map(
      (problem) => `${found.name} ${exchange.status}: ${problem}`,
    ),
  ];
}

/** A refused request may be wrong on purpose; what was accepted must be right. */
function isRefusal(status: number): boolean {
  return status === 400 || status === 404 || status === 422;
}

function requestProblems(
  found: FoundOperation,
  exchange: RestExchange,
  query: string,
): readonly string[] {
  return [
    ...(found.pathValues ? parameterCheck(found, "path")(found.pathValues) : []),
    ...parameterCheck(found, "query")(queryValues(query)),
    ...bodyProblems(found, exchange.requestBody),
  ];
}

function queryValues(query: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(query));
}

function parameterCheck(found: FoundOperation, place: Parameter["in"]): Check {
  return cached(`${found.name} ${place}`, () => {
    const parameters = found.parameters.filter((parameter) => parameter.in === place);
    return compileParameters({
      type: "object",
      additionalProperties: false,
      properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
      required: parameters.filter(({ required }) => required).map(({ name }) => name),
    });
  });
}

function bodyProblems(found: FoundOperation, body: unknown): readonly string[] {
  const documented = found.operation.requestBody;
  if (isEmpty(body)) return documented?.required ? ["the body is missing"] : [];
  const schema = jsonSchemaOf(documented?.content);
  if (schema === undefined) return ["a body is not documented"];
  return cached(`${found.name} body`, () => compileBody(schema))(body);
}

function responseProblems(found: FoundOperation, exchange: RestExchange): readonly string[] {
  const response = documentedResponse(found, exchange.status);
  if (response === undefined) {
    if (!GENERAL_STATUSES.has(exchange.status)) return ["the status is not documented"];
    return generalProblems(exchange);
  }
  const key = `${found.name} ${exchange.status}`;
  const schema = CORRECTED_ANSWERS[key] ?? jsonSchemaOf(response.content);
  if (isRaw(exchange)) return [];
  if (schema !== undefined) return cached(key, () => compileBody(schema))(exchange.responseBody);
  if (exchange.status >= 400) return generalProblems(exchange);
  const silent = response.content === undefined && !isEmpty(exchange.responseBody);
  return silent ? ["a response body is not documented"] : [];
}

/** Asked for by media type (`application/vnd.github.raw`), which the description mentions only in words. */
function isRaw({ responseHeaders = {} }: RestExchange): boolean {
  const type = responseHeaders["content-type"];
  return type !== undefined && !type.includes("json");
}

function documentedResponse(found: FoundOperation, status: number): Response | undefined {
  const response = found.operation.responses[String(status)];
  if (response === undefined || !("$ref" in response)) return response;
  return openApi().components.responses[componentName(response.$ref)];
}

function generalProblems(exchange: RestExchange): readonly string[] {
  if (exchange.status === 304 || exchange.status >= 500) return [];
  // Many refusals are described by their status alone, and all of them look alike.
  return cached("general", () => compileBody(ERROR))(exchange.responseBody);
}

const ERROR: JsonSchema = {
  anyOf: ["basic-error", "validation-error"].map((name) => ({
    $ref: `#/components/schemas/${name}`,
  })),
};

/** Octokit sends `{}` for an operation without parameters. */
function isEmpty(body: unknown): boolean {
  if (body === undefined || body === null || body === "") return true;
  return typeof body === "object" && Object.keys(body).length === 0;
}

const checks = new Map<string, Check>();

function cached(key: string, make: () => Check): Check {
  const known = checks.get(key);
  if (known) return known;
  const made = make();
  checks.set(key, made);
  return made;
}
