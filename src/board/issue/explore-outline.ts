import type { Stretch } from "../../shared/markdown/lines.ts";
import { quote } from "../../shared/quote.ts";
import { isLeftEmpty } from "./declarations.ts";
import { beginsWithKey, EXPLORE_KEYS, exploreField, unknownKey } from "./explore-keys.ts";
import type { ExploreKey } from "./explore-keys.ts";
import { placeOf } from "./markdown-lines.ts";
import type { MarkdownLine } from "./markdown-lines.ts";

/** An entry is one key of a section `Explore`, with what is said for it. */
export interface ExploreEntry {
  readonly key: ExploreKey;
  readonly line: MarkdownLine;
  readonly value: readonly Stretch[];
  /** These are the items below it, each with all of its lines. */
  readonly items: readonly (readonly MarkdownLine[])[];
}

export interface ExploreOutline {
  readonly entries: readonly ExploreEntry[];
  /** It says why a line cannot be used, quoting it. */
  readonly problem: string | undefined;
}

interface OpenEntry extends ExploreEntry {
  readonly items: MarkdownLine[][];
}

const BULLET = /^(?:[-*+]|\d{1,9}[.)])(?:\s+|$)/;
/** A bullet that is indented further than its neighbour by this is inside of it. */
const INSIDE = 2;

/** Reads the lines of one section `Explore`, in which code is read as if it were none. */
export function exploreOutline(content: readonly MarkdownLine[]): ExploreOutline {
  const reader = new OutlineReader();
  for (const line of content) reader.read(line);
  return reader;
}

class OutlineReader implements ExploreOutline {
  readonly entries: OpenEntry[] = [];
  problem: string | undefined;
  /** Items belong to this entry. */
  #listed: OpenEntry | undefined;
  #item: MarkdownLine[] | undefined;
  #inRemark = false;

  read(written: MarkdownLine): void {
    const isPlain = written.fenced && !this.#isCodeOfItem(written);
    const line = isPlain ? withoutFence(written) : written;
    if (this.#goesOn(line)) this.#item?.push(line);
    else if (this.#saysNothing(line)) return;
    else if (this.#isItem(line)) this.#beginItem(line);
    else this.#beginEntry(line);
  }

  #isCodeOfItem(line: MarkdownLine): boolean {
    return line.nested && this.#item?.[0]?.fenced === false;
  }

  #goesOn(line: MarkdownLine): boolean {
    const first = this.#item?.[0];
    if (first === undefined) return false;
    if (line.fenced && this.#isCodeOfItem(line)) return true;
    if (line.bulleted) return line.indent >= first.indent + INSIDE;
    if (line.fenced || line.begins) return line.indent > first.indent;
    return !line.lazy || exploreField(line) === undefined;
  }

  /** Remarks, what others said and empty answers say nothing here; a key in the middle of a remark is one all the same. */
  #saysNothing(line: MarkdownLine): boolean {
    if (line.begins) this.#inRemark = this.#beginsRemark(line);
    if (line.begins && line.fenced) this.#item = undefined;
    if (line.content === "") return !line.bulleted;
    if (this.#inRemark) return exploreField(line) === undefined;
    if (line.fenced) return line.text.startsWith("# ");
    return !line.bulleted && isLeftEmpty(line.content);
  }

  /** A paragraph of words below the first entry is a remark. A list may begin below it, but not go on. */
  #beginsRemark(line: MarkdownLine): boolean {
    if (line.bulleted || line.fenced) return false;
    const isQuote = line.text.startsWith("> ");
    if (!isQuote && (this.entries.length === 0 || isMeantAsEntry(line))) return false;
    this.#item = undefined;
    if (!isQuote && this.#listed?.items.length !== 0) this.#listed = undefined;
    return true;
  }

  #isItem(line: MarkdownLine): boolean {
    const entry = this.#listed;
    if (entry === undefined || !line.bulleted) return false;
    if (exploreField(line) !== undefined) return false;
    const level = entry.items[0]?.[0]?.indent;
    return level === undefined || Math.abs(line.indent - level) < INSIDE;
  }

  #beginItem(line: MarkdownLine): void {
    this.#item = [line];
    this.#listed?.items.push(this.#item);
  }

  #beginEntry(line: MarkdownLine): void {
    const field = exploreField(line);
    if (field === undefined) {
      this.problem ??= unusable(line);
      return;
    }
    const entry = { ...field, line, items: [] };
    this.entries.push(entry);
    this.#item = undefined;
    this.#listed = field.key === "ideas" ? entry : undefined;
  }
}

function withoutFence(line: MarkdownLine): MarkdownLine {
  const [bullet = ""] = BULLET.exec(line.text) ?? [];
  const content = line.text.slice(bullet.length);
  const bulleted = bullet !== "";
  return { ...line, content, stretches: partsOf(content), bulleted };
}

/** Backticks that have no partner are letters. */
function partsOf(text: string): readonly Stretch[] {
  const parts = text.split("`");
  if (parts.length % 2 === 0) return [{ code: false, text }];
  return parts.map((part, at) => ({ code: at % 2 === 1, text: part }));
}

function isMeantAsEntry(line: MarkdownLine): boolean {
  const { content } = line;
  return beginsWithKey(content) || unknownKey(content) !== undefined;
}

function unusable(line: MarkdownLine): string {
  const unknown = unknownKey(line.content);
  const known = EXPLORE_KEYS.join(", ");
  const reason =
    unknown === undefined
      ? `expected one of ${known} with a colon, or an idea in the list below "ideas:"`
      : `${quote(unknown)} is not known here, expected one of ${known}`;
  return `${reason} ${placeOf(line)}`;
}
