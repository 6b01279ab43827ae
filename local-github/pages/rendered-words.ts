import { html } from "./html.ts";
import type { Html } from "./html.ts";

/** Renders as much of Markdown as reports and cards use; everything else, HTML above all, shows as it was written. */
export function renderWords(text: string, repositoryPath: string): Html {
  const lines = visible(text).split("\n");
  const blocks: Html[] = [];
  while (lines.length > 0) blocks.push(takeBlock(lines, repositoryPath));
  return html`${blocks}`;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}#{1,6}\s+(.*?)\s*#*$/;
const QUOTE = /^ {0,3}> ?/;
const LISTED = /^\s*(?:[-*+]|\d{1,9}[.)])\s+/;
const FOLD = /^<\/?(?:details|summary)>.*$/gm;

/** Leaves out comments, which are for programs, and the tags of folds: folds are open here, so their words stay. */
function visible(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(/<!--[^]*?-->/g, "")
    .replace(FOLD, (line) => line.replaceAll(/<\/?(?:details|summary)>/g, ""));
}

function takeBlock(lines: string[], path: string): Html {
  const [first = ""] = lines;
  const fence = FENCE.exec(first)?.[1];
  if (fence !== undefined)
    return html`<pre class="code" tabindex="0">${takeFenced(lines, fence)}</pre>`;
  const heading = HEADING.exec(first)?.[1];
  if (heading !== undefined) {
    lines.shift();
    return html`<h3>${inline(heading, path)}</h3>`;
  }
  if (QUOTE.test(first)) return html`<blockquote>${quoted(lines, path)}</blockquote>`;
  if (LISTED.test(first))
    return html`<ul>
      ${listed(lines, path)}
    </ul>`;
  return paragraph(lines, path);
}

function takeFenced(lines: string[], fence: string): string {
  lines.shift();
  const end = lines.findIndex((line) => line.trim().startsWith(fence));
  const inside = lines.splice(0, end < 0 ? lines.length : end);
  lines.shift();
  return inside.join("\n");
}

function quoted(lines: string[], path: string): Html {
  const inside = takeWhile(lines, (line) => QUOTE.test(line));
  const words = inside.map((line) => line.replace(QUOTE, "")).join("\n");
  return html`<p>${inline(words, path)}</p>`;
}

function listed(lines: string[], path: string): readonly Html[] {
  const items = takeWhile(lines, (line) => LISTED.test(line));
  return items.map((line) => html`<li>${inline(line.replace(LISTED, ""), path)}</li>`);
}

function paragraph(lines: string[], path: string): Html {
  const opensBlock = (line: string): boolean =>
    [FENCE, HEADING, QUOTE, LISTED].some((start) => start.test(line));
  const inside = takeWhile(lines, (line) => line.trim() !== "" && !opensBlock(line));
  takeWhile(lines, (line) => line.trim() === "");
  return inside.length === 0 ? html`` : html`<p>${inline(inside.join("\n"), path)}</p>`;
}

function takeWhile(lines: string[], wanted: (line: string) => boolean): readonly string[] {
  const end = lines.findIndex((line) => !wanted(line));
  return lines.splice(0, end < 0 ? lines.length : end);
}

const MARKS =
  /(`+)(?!`)(.+?)(?<!`)\1(?!`)|\*\*(.+?)\*\*|\\([!-/:-@[-`{-~])|(?<![\w&/])#(\d{1,9})\b/gs;

function inline(text: string, path: string): Html {
  const parts: Html[] = [];
  let done = 0;
  for (const match of text.matchAll(MARKS)) {
    parts.push(html`${text.slice(done, match.index)}`, marked(match, path));
    done = match.index + match[0].length;
  }
  return html`${parts}${text.slice(done)}`;
}

function marked([, , code, bold, escaped, number]: RegExpExecArray, path: string): Html {
  if (code !== undefined) return html`<code>${code.trim()}</code>`;
  if (bold !== undefined) return html`<strong>${inline(bold, path)}</strong>`;
  if (number !== undefined) return html`<a href="${path}/issues/${number}">#${number}</a>`;
  return html`${escaped ?? ""}`;
}
