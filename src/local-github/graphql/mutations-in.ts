import type { DocumentNode, SelectionSetNode } from "graphql";
import { GraphQLError, Kind, OperationTypeNode } from "graphql";
import { requestDocument } from "./request-document.ts";

/** Names of the mutations that are asked for, each as often as it is; none in a query or in what is refused anyway. */
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
