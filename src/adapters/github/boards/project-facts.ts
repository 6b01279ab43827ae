import type { CardFact, CardFacts } from "../../../domain/board.ts";
import type { FactNode, FieldNode, ItemNode } from "../reading/reading-nodes.ts";
import { CARD_FACTS, titled } from "../reading/reading-query.ts";

interface FactField {
  readonly id: string;
  readonly kind: "text" | "number" | "select";
  readonly options: ReadonlyMap<string, string>;
}

export type FactFields = ReadonlyMap<CardFact, FactField>;

interface FieldInput {
  readonly kind: "text" | "number" | "singleSelectOptionId";
  readonly type: "String!" | "Float!";
  readonly value: string | number;
}

const KINDS: Readonly<Record<string, FactField["kind"]>> = {
  TEXT: "text",
  NUMBER: "number",
  SINGLE_SELECT: "select",
};

/** Finds the project's fields that the app fills. A field of a type that the app cannot fill is left out. */
export function factFieldsOf(fields: readonly FieldNode[]): FactFields {
  return new Map(
    CARD_FACTS.flatMap((fact) => {
      const field = fields.find(({ name }) => name?.toLowerCase() === titled(fact).toLowerCase());
      const kind = KINDS[field?.dataType ?? ""];
      if (field?.id === undefined || kind === undefined) return [];
      const options = new Map((field.options ?? []).map(({ id, name }) => [name, id]));
      return [[fact, { id: field.id, kind, options }] as const];
    }),
  );
}

export function factsOfItem(item: ItemNode, fields: FactFields): CardFacts {
  return Object.fromEntries([...fields.keys()].map((fact) => [fact, textOf(item[fact])]));
}

function textOf(value: FactNode | null | undefined): string {
  return String(value?.text ?? value?.number ?? value?.name ?? "");
}

/** Returns undefined when the field cannot hold the text. Options are never added, because people choose them. */
export function valueFor(field: FactField, text: string | undefined): FieldInput | undefined {
  if (text === undefined || text === "") return undefined;
  switch (field.kind) {
    case "text":
      return { kind: "text", type: "String!", value: text };
    case "number": {
      const value = Number(text);
      return Number.isFinite(value) ? { kind: "number", type: "Float!", value } : undefined;
    }
    case "select": {
      const value = field.options.get(text);
      return value === undefined
        ? undefined
        : { kind: "singleSelectOptionId", type: "String!", value };
    }
  }
}
