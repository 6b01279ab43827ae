/**
 * A second opinion on Markdown, written without a look at the renderers: what of a text would do something on GitHub.
 * Code, fenced or not, does nothing; a backslash takes the meaning of a mark but not of a mention or a link.
 */
export function activeParts(markdown: string): readonly string[] {
  const { shown, marks } = read(markdown);
  return [...marks, ...linksIn(shown)];
}

/** Issues that the text would close as the body of a pull request. */
export function closedIssues(markdown: string): readonly string[] {
  const words = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+([\w./-]*#\d+)/gi;
  return [...read(markdown).shown.matchAll(words)].map(([, issue]) => issue ?? "");
}

/** The text as it shows, code left out, and the marks of Markdown that are not escaped. */
function read(markdown: string): { readonly shown: string; readonly marks: readonly string[] } {
  const prose = withoutFences(markdown);
  const marks: string[] = [];
  let shown = "";
  for (let at = 0; at < prose.length; at += 1) {
    const character = prose.charAt(at);
    if (character === "\\" && /[!-/:-@[-`{-~]/.test(prose.charAt(at + 1))) {
      shown += prose.charAt((at += 1));
    } else if (character === "`") {
      at = endOfSpan(prose, at) - 1;
      shown += "\uFFFC";
    } else {
      if ("<[]*_~|$&".includes(character)) marks.push(character + prose.slice(at + 1, at + 12));
      shown += character;
    }
  }
  return { shown, marks };
}

/** What is left of a text when every fenced block is taken out; a fence without its end takes everything. */
export function withoutFences(markdown: string): string {
  const kept: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split("\n")) {
    const open = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      const closing = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(line)?.[1];
      if (closing?.startsWith(fence) === true) fence = undefined;
    } else if (open !== undefined) {
      fence = open;
    } else {
      kept.push(line);
    }
  }
  return kept.join("\n");
}

function endOfSpan(text: string, start: number): number {
  const run = /^`+/.exec(text.slice(start))?.[0] ?? "`";
  const rest = text.slice(start + run.length).split("\n\n")[0] ?? "";
  for (const match of rest.matchAll(/`+/g)) {
    if (match[0] === run) return start + run.length + match.index + run.length;
  }
  throw new Error(`a run of backticks without its partner: ${text.slice(start, start + 40)}`);
}

function linksIn(shown: string): readonly string[] {
  const patterns = [
    /@[A-Za-z0-9][\w/-]*/g,
    /[a-z][a-z0-9+.-]*:\/\/\S+/gi,
    /\bwww\.\S+/gi,
    /\bgh-\d+/gi,
    /[\w.-]+#\d+/g,
    /[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g,
  ];
  return patterns.flatMap((pattern) => shown.match(pattern) ?? []);
}
