import type { RepoConfig } from "../../../config/schema/repo-config.ts";
import type { CardFact, CardFacts } from "../../../domain/board.ts";
import type { CardUpdate } from "../../../ports/github.ts";
import { CARD_FACTS, titled } from "../reading/board-query.ts";
import type { FactNode, FieldNode, ItemNode } from "../reading/reading-nodes.ts";
import type { BoardContent } from "./board-pages.ts";
import { MutationDocument } from "./mutation-document.ts";

/** Puts everything into one document, so that a tick that starts eight runs costs one call. */
export function updateDocument(
  { moves, notes }: CardUpdate,
  ids: Pick<BoardContent, "project" | "field" | "options" | "fields">,
  config: RepoConfig,
): MutationDocument {
  const document = new MutationDocument();
  const set = (cardId: string, field: string, value: string): void => {
    const project = document.variable("ID!", ids.project);
    const [item, at] = [document.variable("ID!", cardId), document.variable("ID!", field)];
    document.add(
      "updateProjectV2ItemFieldValue",
      `projectId: ${project}, itemId: ${item}, fieldId: ${at}, value: { ${value} }`,
      "projectV2Item { id }",
    );
  };
  for (const { cardId, role } of moves) {
    const option = ids.options.get(config.board.columns[role]);
    if (option === undefined) continue;
    set(cardId, ids.field, `singleSelectOptionId: ${document.variable("String!", option)}`);
  }
  for (const { cardId, facts } of notes) {
    for (const [name, field] of factFieldsOf(ids.fields)) {
      const value = valueFor(field, facts[name]);
      if (value === undefined) continue;
      set(cardId, field.id, `${value.kind}: ${document.variable(value.type, value.value)}`);
    }
  }
  return document;
}

interface FactField {
  readonly id: string;
  readonly kind: "text" | "number" | "select";
  readonly options: ReadonlyMap<string, string>;
}

type FactFields = ReadonlyMap<CardFact, FactField>;

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
function valueFor(field: FactField, text: string | undefined): FieldInput | undefined {
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
