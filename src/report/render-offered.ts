import type { TaskSpec } from "../domain/task.ts";
import { lineDifferences } from "../shared/line-differences.ts";
import { textBlock } from "./escape-markdown.ts";

const MOST_LINES = 60;
const LONGEST_LINE = 400;
const LONGEST = 6000;

/** What an issue says now beside what was accepted of it: whoever is to accept it reads only that. */
export function renderOffered({ title, body, offered }: TaskSpec): string {
  if (offered === undefined) return "";
  const lines = lineDifferences(asText({ title, body }), asText(offered));
  if (lines.length === 0) return "";
  const shown = lines.slice(0, MOST_LINES).map(shortened).join("\n");
  const isWhole = lines.every((line) => line.length <= LONGEST_LINE) && lines.length <= MOST_LINES;
  const rest =
    isWhole && shown.length <= LONGEST
      ? ""
      : "\n\nThat is not all of it: the issue's own history shows the rest.";
  return `What changed since it was accepted:\n\n${textBlock(shown, LONGEST)}${rest}`;
}

function asText({ title, body }: Pick<TaskSpec, "title" | "body">): string {
  return `Title: ${title}\n${body.replaceAll("\r\n", "\n")}`;
}

function shortened(line: string): string {
  return line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE)}…`;
}
