import { readFileSync } from "node:fs";
import { buildASTSchema, Kind, parse } from "graphql";
import type {
  DefinitionNode,
  DocumentNode,
  GraphQLSchema,
  ObjectTypeDefinitionNode,
  ObjectTypeExtensionNode,
} from "graphql";
import { SCHEMA_EXTENSION } from "./schema-extension.ts";

let built: GraphQLSchema | undefined;

/** Builds GitHub's published schema with our extension, on first use, because it takes a few hundred milliseconds. */
export function githubSchema(): GraphQLSchema {
  built ??= buildASTSchema(extended(parseSdl(publishedSdl()), parseSdl(SCHEMA_EXTENSION)), {
    assumeValid: true,
    assumeValidSDL: true,
  });
  return built;
}

/** Reads the file beside the package's entry: importing the entry would parse five megabytes of the same schema as JSON. */
function publishedSdl(): string {
  const entry = import.meta.resolve("@octokit/graphql-schema");
  return readFileSync(new URL("./schema.graphql", entry), "utf8");
}

function parseSdl(text: string): DocumentNode {
  return parse(text, { noLocation: true });
}

function extended(base: DocumentNode, extension: DocumentNode): DocumentNode {
  const extensions = new Map<string, ObjectTypeExtensionNode>();
  const added: DefinitionNode[] = [];
  for (const definition of extension.definitions) {
    if (definition.kind === Kind.OBJECT_TYPE_EXTENSION) {
      extensions.set(definition.name.value, definition);
    } else added.push(definition);
  }
  const definitions = base.definitions.map((definition) =>
    definition.kind === Kind.OBJECT_TYPE_DEFINITION
      ? withFields(definition, extensions.get(definition.name.value))
      : definition,
  );
  return { ...base, definitions: [...definitions, ...added] };
}

function withFields(
  type: ObjectTypeDefinitionNode,
  extension: ObjectTypeExtensionNode | undefined,
): ObjectTypeDefinitionNode {
  if (extension === undefined) return type;
  const fields = new Map((type.fields ?? []).map((field) => [field.name.value, field]));
  for (const field of extension.fields ?? []) fields.set(field.name.value, field);
  return { ...type, fields: [...fields.values()] };
}
