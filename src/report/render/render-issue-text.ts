import type { TaskSpec } from "../../domain/task.ts";
import { lineDifferences } from "../../shared/line-differences.ts";
import { readMarkdown } from "../../shared/markdown/read-markdown.ts";
import { textBlock } from "./escape-markdown.ts";

const MAX_LINES = 60;
const MAX_LINE_LENGTH = 400;
const MAX_LENGTH = 6000;

/** Shows how an issue differs from what was accepted of it: whoever is to accept it has to read only that. */
export function renderOffered({ title, body, offered }: TaskSpec): string {
  if (offered === undefined) return "";
  const lines = lineDifferences(asText({ title, body }), asText(offered));
  if (lines.length === 0) return "";
  const shown = lines.slice(0, MAX_LINES).map(shortened).join("\n");
  const isWhole =
    lines.every((line) => line.length <= MAX_LINE_LENGTH) && lines.length <= MAX_LINES;
  const rest =
    isWhole && shown.length <= MAX_LENGTH
      ? ""
      : "\n\nThat is not all of it: the issue's own history shows the rest.";
  return `What changed since it was accepted:\n\n${textBlock(shown, MAX_LENGTH)}${rest}`;
}

function asText({ title, body }: Pick<TaskSpec, "title" | "body">): string {
  return `Title: ${title}\n${body.replaceAll("\r\n", "\n")}`;
}

function shortened(line: string): string {
  return line.length <= MAX_LINE_LENGTH ? line : `${line.slice(0, MAX_LINE_LENGTH)}…`;
}

/** Names the parts of an issue's text that agents do not get, because the page does not show them; empty when there are none. */
export function renderLeftOut({ body }: Pick<TaskSpec, "body">): string {
  const { leftOut } = readMarkdown(body);
  if (leftOut.length === 0) return "";
  return `- Text that GitHub does not show was left out of what agents read: ${leftOut.join(", ")}`;
}
