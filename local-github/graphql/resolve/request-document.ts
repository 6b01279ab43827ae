import {
  getOperationAST,
  GraphQLError,
  OverlappingFieldsCanBeMergedRule,
  parse,
  specifiedRules,
  validate,
} from "graphql";
import type { DocumentNode, OperationDefinitionNode } from "graphql";
import { githubSchema } from "./schema.ts";

export interface RequestDocument {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

const valid = new Map<string, DocumentNode>();
/** Programs send a handful of documents; the cap only guards against ones with values written into them. */
const MAX_REMEMBERED = 200;

/** GitHub takes fields of one name and different types in fragments of different types: its own program `gh` sends such documents. */
const RULES = specifiedRules.filter((rule) => rule !== OverlappingFieldsCanBeMergedRule);

/** Parses the document, if it fits GitHub's schema; throws the first reason why it does not. */
export function requestDocument(text: string, operationName?: string | null): RequestDocument {
  const document = valid.get(text) ?? parseAndValidate(text);
  const operation = getOperationAST(document, operationName);
  if (!operation) throw new GraphQLError("An operation name is required");
  return { document, operation };
}

function parseAndValidate(text: string): DocumentNode {
  const document = parse(text);
  const [first] = validate(githubSchema(), document, RULES);
  if (first) throw first;
  if (valid.size >= MAX_REMEMBERED) valid.clear();
  valid.set(text, document);
  return document;
}
