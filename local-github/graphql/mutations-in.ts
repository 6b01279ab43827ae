import { GraphQLError, Kind, OperationTypeNode } from "graphql";
import type { DocumentNode, SelectionSetNode } from "graphql";
import { requestDocument } from "./resolve/request-document.ts";

/** Lists the names of the mutations that are asked for, repeats included. A query, or a document that is refused anyway, has none. */
export function mutationsIn(text: string, operationName?: string): readonly string[] {
  try {
    const { document, operation } = requestDocument(text, operationName);
    if (operation.operation !== OperationTypeNode.MUTATION) return [];
    return fieldsIn(operation.selectionSet, document);
  } catch (error) {
    if (error instanceof GraphQLError) return [];
    throw error;
  }
}

function fieldsIn(set: SelectionSetNode, document: DocumentNode): readonly string[] {
  return set.selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection.name.value];
    if (selection.kind === Kind.INLINE_FRAGMENT) return fieldsIn(selection.selectionSet, document);
    return document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value
        ? fieldsIn(definition.selectionSet, document)
        : [],
    );
  });
}
