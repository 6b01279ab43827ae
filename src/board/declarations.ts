import { textOf } from "../shared/markdown/lines.ts";
import type { Stretch } from "../shared/markdown/lines.ts";
import type { MarkdownLine } from "./markdown-lines.ts";
import { fieldOf } from "./markdown-lines.ts";
import { isReference } from "./reference.ts";

export type DeclarationName = "files" | "depends on";

/** What an issue says under one name: below a heading everything up to the next one, below a `Name:` line its list. */
export interface Declaration {
  readonly name: DeclarationName;
  readonly opening: MarkdownLine;
  readonly content: readonly MarkdownLine[];
}

interface OpenDeclaration extends Declaration {
  readonly content: MarkdownLine[];
  /** Ends with its list, or goes on to the next heading. */
  readonly listOnly: boolean;
}

const NAMES: readonly DeclarationName[] = ["files", "depends on"];

/** Finds every declaration of an issue's text, in order. */
export function declarations(lines: readonly MarkdownLine[]): readonly Declaration[] {
  const found: OpenDeclaration[] = [];
  let open: OpenDeclaration | undefined;
  for (const line of lines) {
    const start = line.fenced ? undefined : startOf(line);
    if (start !== undefined) {
      if (start !== "other-title") found.push(start);
      open = start === "other-title" || isOneLiner(start) ? undefined : start;
    } else if (open !== undefined && saysSomething(line)) {
      if (belongsTo(open, line)) open.content.push(line);
      else open = undefined;
    }
  }
  return found;
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

/** A bullet with nothing after it does not; the empty line that begins a code fence does. */
function saysSomething(line: MarkdownLine): boolean {
  return line.fenced || line.content !== "";
}

function isOneLiner(declaration: OpenDeclaration): boolean {
  return declaration.content.length > 0;
}

/** `Name: …`, and for dependencies also `Depends on #12` without the colon. */
function inlineWords(line: MarkdownLine, name: DeclarationName): readonly Stretch[] | undefined {
  const field = fieldOf(line, name);
  if (field === undefined || field.separated) return field?.stretches;
  const [first = ""] = textOf(field).trim().split(" ", 1);
  return name === "depends on" && (first === "" || isReference(first))
    ? field.stretches
    : undefined;
}

function belongsTo(declaration: OpenDeclaration, line: MarkdownLine): boolean {
  return !declaration.listOnly || line.fenced || line.bulleted;
}
