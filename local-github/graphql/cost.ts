import {
  getArgumentValues,
  getNamedType,
  isObjectType,
  isInterfaceType,
  Kind,
  OperationTypeNode,
} from "graphql";
import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLSchema,
  OperationDefinitionNode,
} from "graphql";
import type { GraphQLNamedType, SelectionSetNode } from "graphql";

export interface Cost {
  /** These points count against the hourly budget. */
  readonly points: number;
  /** The answer could have this many nodes. */
  readonly nodes: number;
}

export interface Costed {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Readonly<Record<string, unknown>>;
}

interface Tally {
  requests: number;
  nodes: number;
}

/**
 * Works out the cost by GitHub's documented formula: the requests needed to fill every connection, each as large as its
 * page size allows, divided by 100, and at least one point.
 */
export function costOf(costed: Costed): Cost {
  const tally = { requests: 0, nodes: 0 };
  const root =
    costed.operation.operation === OperationTypeNode.MUTATION
      ? costed.schema.getMutationType()
      : costed.schema.getQueryType();
  if (root) walk(costed, tally, { set: costed.operation.selectionSet, type: root, parents: 1 });
  return { points: Math.max(1, Math.round(tally.requests / 100)), nodes: tally.nodes };
}

interface Place {
  readonly set: SelectionSetNode;
  readonly type: GraphQLNamedType;
  /** The answer could have this many objects of this type. */
  readonly parents: number;
}

function walk(costed: Costed, tally: Tally, place: Place): void {
  for (const selection of place.set.selections) {
    if (selection.kind === Kind.FIELD) walkField(costed, tally, { ...place, field: selection });
    else if (selection.kind === Kind.INLINE_FRAGMENT) {
      const type = typeNamed(costed, selection.typeCondition?.name.value) ?? place.type;
      walk(costed, tally, { ...place, set: selection.selectionSet, type });
    } else {
      const fragment = costed.fragments.get(selection.name.value);
      const type = typeNamed(costed, fragment?.typeCondition.name.value);
      if (fragment && type) walk(costed, tally, { ...place, set: fragment.selectionSet, type });
    }
  }
}

function typeNamed(costed: Costed, name: string | undefined): GraphQLNamedType | undefined {
  return name === undefined ? undefined : costed.schema.getType(name);
}

function walkField(
  costed: Costed,
  tally: Tally,
  place: Place & { readonly field: FieldNode },
): void {
  const { field, type, parents } = place;
  if (!field.selectionSet || !(isObjectType(type) || isInterfaceType(type))) return;
  const definition = type.getFields()[field.name.value];
  if (definition === undefined) return;
  const fieldType = getNamedType(definition.type);
  const below = { set: field.selectionSet, type: fieldType, parents };
  const values = getArgumentValues(definition, field, costed.variables);
  if (!fieldType.name.endsWith("Connection")) {
    // The formula does not speak of `nodes(ids:)`. Each of the nodes needs requests for its own connections.
    const ids = values["ids"];
    const count = Array.isArray(ids) ? ids.length : 1;
    walk(costed, tally, { ...below, parents: parents * count });
    return;
  }
  const size = Number(values["first"] ?? values["last"] ?? 0);
  tally.requests += parents;
  tally.nodes += parents * size;
  walk(costed, tally, { ...below, parents: parents * size });
}
