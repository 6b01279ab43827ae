import { findField, optionOf } from "../../model/project.ts";
import type { ProjectItem } from "../../model/project.ts";

/**
 * Says whether a card fits a board's filter. Only `status:Name` (also `status:"Two words",Other`),
 * `is:open|closed|issue|pr|draft` and free words are modelled; another qualifier is refused rather than ignored.
 */
export function matchesQuery(item: ProjectItem, query: string): boolean {
  return termsOf(query).every((term) => matchesTerm(item, term));
}

interface Term {
  readonly qualifier: string;
  readonly values: readonly string[];
  readonly negated: boolean;
}

const TERM = /(-?)(?:([\w-]+):)?((?:"[^"]*"|[^\s"])+)/g;

function termsOf(query: string): readonly Term[] {
  return [...query.matchAll(TERM)].map(([, minus, qualifier, text = ""]) => ({
    qualifier: (qualifier ?? "").toLowerCase(),
    values: (text.match(/"[^"]*"|[^,"]+/g) ?? []).map((value) =>
      value.replaceAll('"', "").toLowerCase(),
    ),
    negated: minus === "-",
  }));
}

function matchesTerm(item: ProjectItem, term: Term): boolean {
  return term.values.some((value) => fits(item, term.qualifier, value)) !== term.negated;
}

function fits(item: ProjectItem, qualifier: string, value: string): boolean {
  switch (qualifier) {
    case "":
      return item.content.title.toLowerCase().includes(value);
    case "status":
      return statusOf(item) === value;
    case "is":
      return traitsOf(item).includes(value);
    default:
      throw new Error(`the local GitHub does not model the filter ${qualifier}:${value}`);
  }
}

function statusOf(item: ProjectItem): string | undefined {
  const field = findField(item.project, "Status");
  return field && optionOf(item, field)?.name.toLowerCase();
}

function traitsOf({ content }: ProjectItem): readonly string[] {
  switch (content.kind) {
    case "draft-issue":
      return ["draft", "open"];
    case "issue":
      return ["issue", content.state];
    case "pull-request":
      return ["pr", content.state, ...(content.landing === null ? [] : ["merged"])];
  }
}
