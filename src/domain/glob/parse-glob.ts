import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { parseCharacterClass } from "./character-class.ts";
import { ANY_CHARACTER } from "./code-points.ts";
import { DEEP, isChoice, SLASH, STAR, WIDE } from "./glob-syntax.ts";
import type { GlobNode } from "./glob-syntax.ts";
import { MAX_NESTING, MAX_ALTERNATIVES } from "./limits.ts";

const NUMBERS = /^\{(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.-?(\d{1,9}))?\}/;
const LETTERS = /^\{([A-Za-z])\.\.([A-Za-z])(?:\.\.-?(\d{1,9}))?\}/;

/** Reads one pattern; the failure says what is wrong with it. */
export function parseGlob(pattern: string): Result<readonly GlobNode[], string> {
  const parser = new GlobParser(pattern.normalize("NFC"));
  const nodes = parser.sequence("");
  return parser.problem === undefined ? ok(nodes) : fail(parser.problem);
}

const PLAIN_TEXT = /[^*?+@!{}[\]\\,|()/]+/y;
const EXTENDED_GROUPS = "?*+@!";
const ESCAPABLE = "*?[]{}()!@+,|\\";
/** Matches `[slug]`, `[...slug]` and `[[...slug]]`: web frameworks name the directories of routes so. */
const ROUTE_PARAMETER =
  /\[(?:\.\.\.)?[\p{L}_]\w*(?:-\w\w+)*(?:=\w+)?\]|\[\[(?:\.\.\.)?[\p{L}_]\w*(?:-\w\w+)*(?:=\w+)?\]\]/uy;

class GlobParser {
  problem: string | undefined;
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  sequence(stops: string): GlobNode[] {
    const nodes: GlobNode[] = [];
    while (this.#at < this.#text.length && !stops.includes(this.#text.charAt(this.#at))) {
      this.#node(nodes);
    }
    return nodes;
  }

  #node(into: GlobNode[]): void {
    const char = this.#text.charAt(this.#at);
    if (EXTENDED_GROUPS.includes(char) && this.#text[this.#at + 1] === "(") {
      into.push(this.#group(char));
    } else if (char === "*") into.push(this.#stars());
    else if (char === "?") into.push(this.#skip(1, ANY_CHARACTER));
    else if (char === "[") this.#brackets(into);
    else if (char === "{") this.#braces(into);
    else if (char === "}") this.#reject("} without {");
    else if (char === "/") into.push(this.#skip(1, SLASH));
    else if (char === "\\") into.push(this.#escaped());
    else into.push(this.#plainText());
  }

  #plainText(): GlobNode {
    PLAIN_TEXT.lastIndex = this.#at;
    const end = PLAIN_TEXT.test(this.#text) ? PLAIN_TEXT.lastIndex : this.#at + 1;
    return this.#skip(end - this.#at, this.#text.slice(this.#at, end));
  }

  #escaped(): GlobNode {
    const next = this.#text.charAt(this.#at + 1);
    if (next === "" || !ESCAPABLE.includes(next)) this.#reject("use / between names, not \\");
    return this.#skip(2, next);
  }

  #stars(): GlobNode {
    const start = this.#at;
    while (this.#text[this.#at] === "*" && this.#text[this.#at + 1] !== "(") this.#at += 1;
    return this.#at - start > 1 ? DEEP : STAR;
  }

  #group(sign: string): GlobNode {
    this.#at += 2;
    const options = this.#options("|", ")");
    if (sign === "@") return { options };
    if (sign === "?") return { options: [[], ...options] };
    return options.some(containsSlash) ? WIDE : STAR;
  }

  #braces(into: GlobNode[]): void {
    const range = expandRange(this.#text.slice(this.#at, this.#at + 40));
    if (range) {
      into.push(this.#skip(range.length, range.node));
      return;
    }
    this.#at += 1;
    const options = this.#options(",", "}");
    // As in a shell, braces around a single word are ordinary characters.
    if (options.length === 1) into.push("{", ...(options[0] ?? []), "}");
    else into.push({ options });
  }

  #options(separator: string, close: string): GlobNode[][] {
    const options: GlobNode[][] = [];
    this.#depth += 1;
    if (this.#depth > MAX_NESTING) this.#reject(`nested more than ${MAX_NESTING} deep`);
    options.push(this.sequence(separator + close));
    while (this.#text[this.#at] === separator) {
      this.#at += 1;
      options.push(this.sequence(separator + close));
    }
    this.#depth -= 1;
    if (this.#text[this.#at] !== close)
      this.#reject(`${close === "}" ? "{" : "("} is never closed`);
    this.#at += 1;
    return options;
  }

  #brackets(into: GlobNode[]): void {
    const start = this.#at;
    ROUTE_PARAMETER.lastIndex = start;
    const route = ROUTE_PARAMETER.exec(this.#text)?.[0];
    const parsed = parseCharacterClass(this.#text, start);
    if (!parsed.ok && route === undefined) this.#reject(parsed.error);
    else if (route === undefined) into.push(this.#skip(lengthOf(parsed), setOf(parsed)));
    else {
      const rest = route.slice(lengthOf(parsed));
      const options: GlobNode[][] = parsed.ok ? [[route], [parsed.value.set, rest]] : [[route]];
      into.push(this.#skip(route.length, { options }));
    }
  }

  #skip<T>(length: number, value: T): T {
    this.#at += length;
    return value;
  }

  #reject(problem: string): void {
    this.problem ??= problem;
    this.#at = this.#text.length;
  }
}

type ParsedClass = ReturnType<typeof parseCharacterClass>;

function lengthOf(parsed: ParsedClass): number {
  return parsed.ok ? parsed.value.length : 0;
}

function setOf(parsed: ParsedClass): GlobNode {
  return parsed.ok ? parsed.value.set : WIDE;
}

function containsSlash(nodes: readonly GlobNode[]): boolean {
  return nodes.some(
    (node) => node === SLASH || (isChoice(node) && node.options.some(containsSlash)),
  );
}

/** Reads `{1..3}`, `{01..10}`, `{a..e}` or `{0..20..5}` at the start of the text. */
function expandRange(text: string): { node: GlobNode; length: number } | undefined {
  const numbers = NUMBERS.exec(text);
  if (numbers) return { node: numberChoice(numbers), length: numbers[0].length };
  const letters = LETTERS.exec(text);
  if (letters) return { node: letterChoice(letters), length: letters[0].length };
  return undefined;
}

function numberChoice([, first = "", last = "", step]: RegExpExecArray): GlobNode {
  const padded = /^-?0\d/.test(first) || /^-?0\d/.test(last);
  const width = padded ? Math.max(first.length, last.length) : 0;
  const write = (value: number): string => {
    const digits = String(Math.abs(value));
    return value < 0 ? `-${digits.padStart(width - 1, "0")}` : digits.padStart(width, "0");
  };
  return choiceBetween([Number(first), Number(last)], step, write);
}

function letterChoice([, first = "", last = "", step]: RegExpExecArray): GlobNode {
  const ends: [number, number] = [first.charCodeAt(0), last.charCodeAt(0)];
  return choiceBetween(ends, step, (value) => String.fromCharCode(value));
}

function choiceBetween(
  [first, last]: readonly [number, number],
  step: string | undefined,
  write: (value: number) => string,
): GlobNode {
  const stride = Math.max(1, Number(step ?? 1)) * (first <= last ? 1 : -1);
  const count = Math.floor((last - first) / stride) + 1;
  if (count > MAX_ALTERNATIVES) return WIDE;
  const options = Array.from({ length: count }, (_, i) => [write(first + i * stride)]);
  return { options };
}
