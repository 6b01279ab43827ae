import { getVariableValues, GraphQLError, Kind, parse, validate } from "graphql";
import type { DocumentNode, OperationDefinitionNode } from "graphql";
import { githubSchema } from "../../../local-github/graphql/resolve/schema.ts";

export interface GraphqlRequest {
  readonly document: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

interface Checked {
  readonly problems: readonly string[];
  readonly operation?: OperationDefinitionNode;
}

const checkedDocuments = new Map<string, Checked>();

/** What in a document or its variables GitHub's schema does not allow; the answer's shape is the executor's own business. */
export function graphqlViolations(request: GraphqlRequest): readonly string[] {
  const { problems, operation } = checkDocument(request.document);
  const all = operation
    ? [...problems, ...variableProblems(operation, request.variables ?? {})]
    : problems;
  const name = operation?.name?.value ?? "anonymous";
  return all.map((problem) => `GraphQL ${name}: ${problem}`);
}

/** The same few documents are sent over and over, and validating one takes about 15 ms. */
function checkDocument(text: string): Checked {
  const known = checkedDocuments.get(text);
  if (known) return known;
  const checked = parseAndValidate(text);
  checkedDocuments.set(text, checked);
  return checked;
}

function parseAndValidate(text: string): Checked {
  try {
    const document = parse(text);
    const problems = validate(githubSchema(), document).map((error) => error.message);
    const operation = operationOf(document);
    return problems.length > 0 || operation === undefined ? { problems } : { problems, operation };
  } catch (error) {
    if (error instanceof GraphQLError) return { problems: [error.message] };
    throw error;
  }
}

function operationOf(document: DocumentNode): OperationDefinitionNode | undefined {
  return document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
}

function variableProblems(
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): readonly string[] {
  const declared = operation.variableDefinitions ?? [];
  const names = new Set(declared.map((definition) => definition.variable.name.value));
  const unknown = Object.keys(variables).filter((name) => !names.has(name));
  const coerced = getVariableValues(githubSchema(), declared, variables);
  return [
    ...unknown.map((name) => `variable $${name} is not declared`),
    ...(coerced.errors ?? []).map((error) => error.message),
  ];
}
