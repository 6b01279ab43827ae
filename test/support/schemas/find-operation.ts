import { componentName, openApi } from "./openapi.ts";
import type { Operation, Parameter, Reference } from "./openapi.ts";

export interface FoundOperation {
  /** As documented: `POST /repos/{owner}/{repo}/pulls`. */
  readonly name: string;
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
  /** Undefined when the path was given as its template. */
  readonly pathValues: Readonly<Record<string, string>> | undefined;
}

interface Route {
  readonly template: string;
  readonly pattern: RegExp;
  readonly names: readonly string[];
}

/** The documented operation for a concrete path (`/repos/o/r/pulls/7`, with or without `/api/v3`) or for a template. */
export function findOperation(method: string, path: string): FoundOperation | undefined {
  const bare = path.replace(/^\/api\/v3(?=\/)/, "");
  for (const route of routesOf(method.toLowerCase())) {
    const match = route.pattern.exec(bare);
    if (match) return found(method.toLowerCase(), route, route.template === bare ? null : match);
  }
  return undefined;
}

function found(method: string, route: Route, match: RegExpExecArray | null): FoundOperation {
  const operation = operationAt(method, route.template);
  return {
    name: `${method.toUpperCase()} ${route.template}`,
    operation,
    parameters: parametersOf(operation),
    pathValues: match ? pathValuesOf(route, match) : undefined,
  };
}

function pathValuesOf(route: Route, match: RegExpExecArray): Readonly<Record<string, string>> {
  return Object.fromEntries(
    route.names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? "")]),
  );
}

const routesByMethod = new Map<string, readonly Route[]>();

function routesOf(method: string): readonly Route[] {
  const known = routesByMethod.get(method);
  if (known) return known;
  const routes = Object.entries(openApi().paths)
    .filter(([, operations]) => operations[method] !== undefined)
    .map(([template]) => routeFrom(method, template))
    .sort((a, b) => specificity(b.template) - specificity(a.template));
  routesByMethod.set(method, routes);
  return routes;
}

/** Literal segments win over placeholders: `/issues/comments/1` is not issue number "comments". */
function specificity(template: string): number {
  return template.split("/").filter((segment) => !segment.includes("{")).length;
}

function routeFrom(method: string, template: string): Route {
  const long = new Set(
    parametersOf(operationAt(method, template))
      .filter((parameter) => parameter["x-multi-segment"] === true)
      .map((parameter) => parameter.name),
  );
  const names: string[] = [];
  const source = template
    .replace(/[.*+?^$()|[\]\\]/g, "\\$&")
    .replace(/\{([^}]+)\}/g, (_, name) => {
      names.push(String(name));
      return long.has(String(name)) ? "(.+)" : "([^/]+)";
    });
  return { template, names, pattern: new RegExp(`^${source}$`) };
}

function operationAt(method: string, template: string): Operation {
  const operation = openApi().paths[template]?.[method];
  if (operation === undefined) throw new Error(`no ${method} ${template}`);
  return operation;
}

function parametersOf(operation: Operation): readonly Parameter[] {
  return (operation.parameters ?? []).map((parameter) =>
    "$ref" in parameter ? sharedParameter(parameter) : parameter,
  );
}

function sharedParameter(reference: Reference): Parameter {
  const parameter = openApi().components.parameters[componentName(reference.$ref)];
  if (parameter === undefined) throw new Error(`no parameter ${reference.$ref}`);
  return parameter;
}
