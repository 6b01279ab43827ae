import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import type { Document, Node, ParsedNode } from "yaml";

export interface Field {
  readonly name: string;
  readonly line: number;
  readonly value: Node | undefined;
}

/** This is one mapping of the list. */
export interface Item {
  readonly line: number;
  get(name: string): Field | undefined;
}

export interface Line {
  readonly text: string;
  readonly line: number;
}

/** More problems would only scroll the first ones away. */
const MAX_PROBLEMS = 20;

/** Both characters begin patterns, but mean something else in YAML. */
const QUOTE_PATTERNS = "quote patterns that begin with * or !";

const NEITHER =
  "expected a list of tasks (docs/planning.md), or a plan with phases (docs/objectives.md)";

/** Walks a YAML document by hand, so that every complaint has the line of what is wrong. */
export class YamlReader {
  readonly name: string;
  readonly #problems: Line[] = [];
  readonly #lines = new LineCounter();
  readonly #document: Document<ParsedNode>;

  constructor(text: string, name: string) {
    this.name = name;
    this.#document = parseDocument(text, {
      lineCounter: this.#lines,
      prettyErrors: false,
      logLevel: "error",
    });
    for (const { pos, message, code } of [...this.#document.errors, ...this.#document.warnings]) {
      this.note(this.#lines.linePos(pos[0]).line, yamlProblem(code, message));
    }
  }

  note(line: number, text: string): void {
    this.#problems.push({ line: Math.max(1, line), text });
  }

  /** Problems come in the order of their lines. */
  get problems(): readonly string[] {
    return this.#problems
      .toSorted((a, b) => a.line - b.line)
      .slice(0, MAX_PROBLEMS)
      .map(({ line, text }) => `${this.name}:${line}: ${text}`);
  }

  /** Tells whether the file as a whole is a mapping with this key. */
  has(key: string): boolean {
    const root = this.#resolve(this.#document.contents);
    return isMap(root) && root.has(key);
  }

  /** Returns the mappings of the top-level list, or nothing once the file is known to be broken. */
  list(known: readonly string[]): readonly Item[] {
    if (this.#problems.length > 0) return [];
    const root = this.#resolve(this.#document.contents);
    if (isSeq(root)) return root.items.flatMap((item) => this.#item(item, known));
    const isEmpty = root === undefined || (isScalar(root) && root.value === null);
    this.note(this.#lineOf(root), isEmpty ? "the file has no tasks" : NEITHER);
    return [];
  }

  /** Reads a name, which is text or a number. */
  word(field: Field | undefined): string | undefined {
    if (field === undefined) return undefined;
    const word = wordOf(field.value);
    if (word === undefined) this.note(field.line, `${field.name} must be a word or a number`);
    return word;
  }

  text(field: Field | undefined): string | undefined {
    if (field === undefined) return undefined;
    const { value } = field;
    if (isScalar(value) && value.value === null) return undefined;
    const text = isScalar(value) && isPlain(value.value) ? String(value.value) : undefined;
    if (text === undefined) this.note(field.line, `${field.name} must be text`);
    return text;
  }

  positive(field: Field | undefined): number | undefined {
    if (field === undefined) return undefined;
    const value = isScalar(field.value) ? field.value.value : undefined;
    if (typeof value === "number" && value > 0 && Number.isFinite(value)) return value;
    this.note(field.line, `${field.name} must be a number above 0`);
    return undefined;
  }

  texts(field: Field | undefined, expected: string): readonly Line[] {
    return this.#entries(field, expected, (node) =>
      isScalar(node) && typeof node.value === "string" && node.value.trim() !== ""
        ? node.value
        : undefined,
    );
  }

  words(field: Field | undefined, expected: string): readonly string[] {
    return this.#entries(field, expected, wordOf).map(({ text }) => text);
  }

  choice<T>(line: Line | undefined, choices: Readonly<Record<string, T>>, name: string) {
    if (line === undefined) return undefined;
    if (Object.hasOwn(choices, line.text)) return choices[line.text];
    this.note(line.line, `${name}:${line.text} is none of ${Object.keys(choices).join(", ")}`);
    return undefined;
  }

  #entries(
    field: Field | undefined,
    expected: string,
    read: (node: Node | undefined) => string | undefined,
  ): readonly Line[] {
    if (field === undefined || (isScalar(field.value) && field.value.value === null)) return [];
    if (!isSeq(field.value)) {
      this.note(field.line, expected);
      return [];
    }
    return field.value.items.flatMap((entry) => {
      const node = this.#resolve(entry);
      const text = read(node);
      const line = this.#lineOf(node ?? entry, field.line);
      if (text !== undefined) return [{ text, line }];
      this.note(line, isAlias(entry) ? QUOTE_PATTERNS : expected);
      return [];
    });
  }

  #item(entry: unknown, known: readonly string[]): readonly Item[] {
    const node = this.#resolve(entry);
    if (!isMap(node)) {
      this.note(this.#lineOf(node), "expected a task: id, and files that it may change");
      return [];
    }
    const fields = new Map<string, Field>();
    for (const { key, value } of node.items) {
      const name = wordOf(this.#resolve(key)) ?? "";
      const line = this.#lineOf(this.#resolve(key));
      if (!known.includes(name)) this.note(line, `${name} is none of ${known.join(", ")}`);
      fields.set(name, { name, line, value: this.#resolve(value) });
    }
    return [{ line: this.#lineOf(node), get: (name) => fields.get(name) }];
  }

  #resolve(node: unknown): Node | undefined {
    if (isAlias(node)) return node.resolve(this.#document);
    return isScalar(node) || isMap(node) || isSeq(node) ? node : undefined;
  }

  #lineOf(node: unknown, otherwise = 1): number {
    const offset = isNode(node) ? node.range?.[0] : undefined;
    return offset === undefined ? otherwise : this.#lines.linePos(offset).line;
  }
}

function wordOf(node: Node | undefined): string | undefined {
  if (!isScalar(node)) return undefined;
  const { value } = node;
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function yamlProblem(code: string, message: string): string {
  return code === "TAG_RESOLVE_FAILED" ? `${QUOTE_PATTERNS} (${message})` : message;
}
