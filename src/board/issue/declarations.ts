import { textOf } from "../../shared/markdown/lines.ts";
import type { Stretch } from "../../shared/markdown/lines.ts";
import { exploreField } from "./explore-keys.ts";
import { fieldOf } from "./markdown-lines.ts";
import type { MarkdownLine } from "./markdown-lines.ts";
import { isReference } from "./reference.ts";

export type DeclarationName = "files" | "depends on" | "explore";

/** A declaration is what an issue says under one name: below a heading everything up to the next one, below a `Name:` line its list. */
export interface Declaration {
  readonly name: DeclarationName;
  readonly opening: MarkdownLine;
  readonly content: readonly MarkdownLine[];
}

interface OpenDeclaration extends Declaration {
  readonly content: MarkdownLine[];
  /** It ends with its list, or goes on to the next heading. */
  readonly listOnly: boolean;
}

const NAMES: readonly DeclarationName[] = ["files", "depends on", "explore"];
const EMPTY_ANSWERS = [
  "",
  "_no response_",
  "no response",
  "none",
  "_none_",
  "nothing",
  "n/a",
  "-",
  "—",
];

/** Finds every declaration of an issue's text, in order. */
export function declarations(lines: readonly MarkdownLine[]): readonly Declaration[] {
  const found: OpenDeclaration[] = [];
  let open: OpenDeclaration | undefined;
  for (const line of lines) {
    const start = isWithin(open, line) ? undefined : startOf(line);
    if (start !== undefined) {
      if (start !== "other-title") found.push(start);
      open = start === "other-title" || isOneLiner(start) ? undefined : start;
    } else if (open !== undefined) open = withLine(open, line);
  }
  return found;
}

/** Knows the words that GitHub or people write for a field of a form that was left empty; an empty code fence is one too. */
export function isLeftEmpty(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.length < 20 && EMPTY_ANSWERS.includes(trimmed.toLowerCase());
}

/** Adds the line to its declaration; it returns undefined where that ends. */
function withLine(open: OpenDeclaration, line: MarkdownLine): OpenDeclaration | undefined {
  if (!saysSomething(line)) return open;
  if (!belongsTo(open, line)) return undefined;
  open.content.push(line);
  const isAboveRule = line.heading === "underlined" && !line.nested;
  return isAboveRule ? undefined : open;
}

/** An idea may be bold, have a heading, or say "Files:": that ends nothing where it is an item's. */
function isWithin(open: Declaration | undefined, line: MarkdownLine): boolean {
  if (line.fenced) return true;
  if (open?.name !== "explore") return false;
  if (isInsideItem(line)) return true;
  if (line.title === undefined || NAMES.some((name) => name === line.title)) return false;
  return line.bulleted || isExploreKey(line);
}

/** A key may be bold as a whole, and its value may stand right above a rule. */
function isExploreKey(line: MarkdownLine): boolean {
  if (line.heading === "marked") return false;
  const field = exploreField(line);
  return (
    field !== undefined && (line.heading === undefined || textOf({ stretches: field.value }) !== "")
  );
}

function isInsideItem({ nested, lazy, bulleted, indent }: MarkdownLine): boolean {
  return nested && !lazy && !(bulleted && indent === 0);
}

function startOf(line: MarkdownLine): OpenDeclaration | "other-title" | undefined {
  if (line.title !== undefined) {
    const name = NAMES.find((known) => known === line.title);
    return name === undefined
      ? "other-title"
      : { name, opening: line, content: [], listOnly: false };
  }
  for (const name of NAMES) {
    const stretches = inlineWords(line, name);
    if (stretches === undefined) continue;
    const text = textOf({ stretches }).trim();
    const content = text === "" ? [] : [{ ...line, content: text, stretches, bulleted: false }];
    return { name, opening: line, content, listOnly: true };
  }
  return undefined;
}

/** A bullet with nothing after it says nothing; the empty line that begins a code fence does. */
function saysSomething(line: MarkdownLine): boolean {
  return line.fenced || line.content !== "";
}

/** What is said of an exploration may begin on its line and go on below it. */
function isOneLiner({ name, content }: OpenDeclaration): boolean {
  return name !== "explore" && content.length > 0;
}

/** Reads `Name: …`, and for dependencies also `Depends on #12` without the colon. */
function inlineWords(line: MarkdownLine, name: DeclarationName): readonly Stretch[] | undefined {
  const field = fieldOf(line, name);
  if (field === undefined || field.separated) return field?.stretches;
  const [first = ""] = textOf(field).trim().split(" ", 1);
  return name === "depends on" && (first === "" || isReference(first))
    ? field.stretches
    : undefined;
}

function belongsTo({ name, listOnly }: OpenDeclaration, line: MarkdownLine): boolean {
  if (!listOnly || line.fenced || line.bulleted) return true;
  return name === "explore" && (line.nested || exploreField(line) !== undefined);
}
