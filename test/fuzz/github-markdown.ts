/**
 * What a text would do on GitHub, found without a look at how reports are written: blocks and marks of Markdown, HTML,
 * and what GitHub makes of plain words afterwards (mentions, references, links). It errs on the strict side: an
 * unescaped bracket counts though it may stand for nothing. What is in code does nothing. Not counted, since they
 * lead nowhere else: the names of commits and `:emoji:`.
 */
export function effectsOf(markdown: string): readonly string[] {
  const effects: string[] = [];
  for (const block of blocksOf(markdown, effects)) {
    const shown = readMarks(block, effects);
    effects.push(...filtered(shown));
  }
  return effects;
}

/** The words that show, without code. */
export function shownBy(markdown: string): string {
  return blocksOf(markdown, [])
    .map((block) => readMarks(block, []))
    .join("\n\n");
}

/** What GitHub makes of words without Markdown, as in a title or the message of a commit. */
export function effectsOfPlain(text: string): readonly string[] {
  return filtered(text);
}

/** Issues that the text closes as the body of a pull request or the message of a commit. */
export function closedBy(text: string): readonly string[] {
  const closing =
    /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+((?:[\w.-]+\/[\w.-]+)?#\d+|gh-\d+)/gi;
  return [...text.matchAll(closing)].map(([, issue]) => issue ?? "");
}

interface Fence {
  readonly mark: string;
}

/** Paragraphs with their containers taken off; what the containers are goes to the effects. */
function blocksOf(markdown: string, effects: string[]): readonly string[] {
  const blocks: string[] = [];
  let fence: Fence | undefined;
  let open: string[] = [];
  const close = (): void => {
    if (open.length > 0) blocks.push(open.join("\n"));
    open = [];
  };
  for (const line of markdown.split("\n")) {
    if (fence !== undefined) {
      if (closes(line, fence)) fence = undefined;
      continue;
    }
    const { content, containers } = contained(line);
    effects.push(...containers);
    if (containers.length > 0 || content.trim() === "") close();
    fence = opened(content);
    if (fence !== undefined) {
      effects.push("code block");
      close();
    } else if (content.trim() !== "") {
      effects.push(...lineEffects(content, open));
      open.push(content);
    }
  }
  if (fence !== undefined) effects.push("an open code block");
  close();
  return blocks;
}

function opened(line: string): Fence | undefined {
  const mark = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
  return mark === undefined ? undefined : { mark };
}

function closes(line: string, { mark }: Fence): boolean {
  const found = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return found?.startsWith(mark) === true;
}

const CONTAINERS: readonly (readonly [string, RegExp])[] = [
  ["rule", /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/],
  ["quote", /^ {0,3}> ?/],
  ["item", /^ {0,3}(?:[-+*]|\d{1,9}[.)])(?:[ \t]+|$)/],
  ["task item", /^\[[ xX]\][ \t]/],
  ["heading", /^ {0,3}#{1,6}(?:[ \t]+|$)/],
];

function contained(line: string): {
  readonly content: string;
  readonly containers: readonly string[];
} {
  const containers: string[] = [];
  let content = line;
  for (let found = containerOf(content); found !== undefined; found = containerOf(content)) {
    containers.push(found.name);
    content = content.slice(found.length);
  }
  return { content, containers };
}

function containerOf(line: string): { readonly name: string; readonly length: number } | undefined {
  for (const [name, pattern] of CONTAINERS) {
    const length = pattern.exec(line)?.[0].length;
    if (length !== undefined && length > 0) return { name, length };
  }
  return undefined;
}

const DELIMITERS = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** What a line is by the lines of its block before it: a row of a table only below the line that parts its head. */
function lineEffects(line: string, before: readonly string[]): readonly string[] {
  const inTable = before.some((one, at) => at > 0 && one.includes("|") && DELIMITERS.test(one));
  return [
    ...(inTable ? [`row of ${barsIn(line)}`] : []),
    ...(before.length > 0 && /^ {0,3}=+[ \t]*$/.test(line) ? ["heading"] : []),
    ...(before.length === 0 && /^(?: {4}|\t)/.test(line) ? ["indented code"] : []),
  ];
}

/** Cells are parted before code is looked for: only a backslash keeps a bar from it. */
function barsIn(line: string): number {
  return line.replace(/\\[^]/g, "").split("|").length - 1;
}

const ESCAPABLE = /[!-/:-@[-`{-~]/;
const ENTITY = /^&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/i;
const HTML = /^<(?:!--|[!?/]?[A-Za-z])[^>]*>/;

/** The text as it shows, what is in code as one mark; marks that mean something go to the effects. */
function readMarks(block: string, effects: string[]): string {
  let shown = "";
  let at = 0;
  while (at < block.length) {
    const character = block.charAt(at);
    if (character === "\\" && ESCAPABLE.test(block.charAt(at + 1))) {
      shown += block.charAt(at + 1);
      at += 2;
    } else if (character === "`") {
      const end = endOfCode(block, at);
      shown += end === undefined ? runAt(block, at) : "\uFFFC";
      at = end ?? at + runAt(block, at).length;
    } else {
      const effect = markAt(block, at);
      if (effect !== undefined) effects.push(effect);
      shown += character;
      at += 1;
    }
  }
  return shown;
}

function markAt(block: string, at: number): string | undefined {
  const character = block.charAt(at);
  if (character === "<") {
    const tag = HTML.exec(block.slice(at, at + 2000))?.[0];
    return tag === undefined ? undefined : `html ${tag.slice(0, 40)}`;
  }
  if (character === "&") return ENTITY.test(block.slice(at, at + 40)) ? "entity" : undefined;
  return "[]*_~$".includes(character) ? `mark ${character}` : undefined;
}

function runAt(block: string, at: number): string {
  return /^`+/.exec(block.slice(at))?.[0] ?? "`";
}

function endOfCode(block: string, at: number): number | undefined {
  const run = runAt(block, at);
  for (const { index, 0: found } of block.slice(at + run.length).matchAll(/`+/g)) {
    if (found.length === run.length) return at + run.length + index + run.length;
  }
  return undefined;
}

const FILTERS: readonly (readonly [string, RegExp])[] = [
  ["mention", /@[a-z\d][\w/-]*/gi],
  ["reference", /(?:[\w.-]+\/[\w.-]+|[\w.-]+)?#\d+/g],
  ["reference", /\bgh-\d+/gi],
  ["link", /[a-z][a-z\d+.-]*:\/\/\S*/gi],
  ["link", /\bwww\.\S*/gi],
  ["link", /\b(?:mailto|xmpp):\S+@\w\S*/gi],
  ["turned writing", /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g],
  ["hidden writing", /[\u{E0000}-\u{E0FFF}\u2060-\u206F\uFEFF\u00AD]|\u200C|\u200D|\u034F/gu],
  ["hidden writing", /[\u115F\u1160\u180E\u3164\uFFA0]/g],
  ["control", /\p{Cc}/gu],
  ["half a character", /\p{Cs}/gu],
];

function filtered(shown: string): readonly string[] {
  const text = shown.replaceAll("\n", " ");
  return FILTERS.flatMap(([name, pattern]) =>
    (text.match(pattern) ?? []).map((found) => `${name} ${found}`),
  );
}
