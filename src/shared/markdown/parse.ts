import MarkdownIt from "markdown-it";
import type { Token } from "markdown-it";
import { footnoteDefinition, footnoteReference } from "./footnotes.ts";
import { unseenHtml } from "./unseen-html.ts";

/** What the parser found beside the text's own tokens. */
export interface Definitions {
  /** Of links, by label. */
  readonly references: Readonly<Record<string, { readonly title: string; readonly href: string }>>;
  /** Labels of footnotes. */
  readonly footnotes: ReadonlySet<string>;
}

const parser = new MarkdownIt({ html: true });
// What GitHub makes of an address is decided when it is told: a link that the parser refuses would show its address as text.
parser.validateLink = () => true;
// It would change characters that a declaration has to be refused for.
parser.core.ruler.disable("normalize");
parser.block.ruler.before("reference", "footnote", footnoteDefinition, { alt: ["paragraph"] });
parser.inline.ruler.before("link", "footnote", footnoteReference);
parser.inline.ruler.before("html_inline", "unseen_html", unseenHtml);

/** GitHub's Markdown as tokens: tables, strikethrough and footnotes included, whatever the text is. */
export function parseMarkdown(source: string): {
  readonly tokens: readonly Token[];
  readonly definitions: Definitions;
} {
  const definitions = { references: {}, footnotes: new Set<string>() };
  const tokens = parser.parse(source.replace(/\r\n?/g, "\n"), definitions);
  return { tokens, definitions };
}

/** `&amp;` as the character that it stands for. */
export function decodeEntities(text: string): string {
  return text.includes("&") ? parser.utils.unescapeAll(text.replaceAll("\\", "\\\\")) : text;
}
