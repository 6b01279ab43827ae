import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

export type JsonSchema = { readonly [keyword: string]: unknown };

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: JsonSchema;
  readonly "x-multi-segment"?: boolean;
}

export interface Content {
  readonly [mediaType: string]: { readonly schema?: JsonSchema };
}

export interface Response {
  readonly content?: Content;
}

export interface Operation {
  readonly description?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

export interface Reference {
  readonly $ref: string;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly "x-webhooks": Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

let loaded: OpenApi | undefined;

/** GitHub's published REST description, read once per process because it is 13 MB. */
export function openApi(): OpenApi {
  if (loaded === undefined) {
    const path = createRequire(import.meta.url).resolve(
      "@octokit/openapi/generated/api.github.com.json",
    );
    loaded = JSON.parse(readFileSync(path, "utf8")) as OpenApi;
  }
  return loaded;
}

export function componentName(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

/** The schema of a JSON answer or body; undefined where only other media types are described. */
export function jsonSchemaOf(content: Content | undefined): JsonSchema | undefined {
  if (content === undefined) return undefined;
  const mediaType = Object.keys(content).find((type) => type.includes("json"));
  return mediaType === undefined ? undefined : content[mediaType]?.schema;
}
