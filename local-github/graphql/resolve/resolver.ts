import type { GraphQLFieldResolver } from "graphql";
import type { Viewer } from "./viewer.ts";

/**
 * Says how the fields of one GraphQL type are read from the model. Sources and arguments are checked by the schema before a
 * resolver sees them, so a table may name the types that it expects.
 */
export type Fields<Source> = Readonly<
  Record<string, (source: Source, args: never, viewer: Viewer) => unknown>
>;

type AnyFields = Readonly<
  Record<string, (source: unknown, args: unknown, viewer: Viewer) => unknown>
>;

/**
 * Reads a field from its type's table or, for plain answers such as connections, from the object itself. A field that is
 * modelled in neither is an error: answering null for it would be a lie that the schema allows.
 */
export function fieldResolver(
  tables: Readonly<Record<string, Fields<never>>>,
): GraphQLFieldResolver<unknown, Viewer> {
  // eslint-disable-next-line max-params -- the signature is the library's
  return (source, args, viewer, { parentType, fieldName }) => {
    const table = tables[parentType.name] as AnyFields | undefined;
    const resolve = table?.[fieldName];
    if (resolve) return resolve(source, args, viewer);
    if (!table && isRecord(source) && fieldName in source) return source[fieldName];
    throw new Error(`the local GitHub does not model ${parentType.name}.${fieldName}`);
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
