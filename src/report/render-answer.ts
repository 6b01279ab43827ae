import type { GivenCommand } from "../domain/given-command.ts";
import { escapeMarkdown, escapeReason } from "./escape-markdown.ts";

/** What the comment on an issue says to those who gave commands there. */
export interface AnswerView {
  /** The last command of someone who may give them. */
  readonly last: Pick<GivenCommand, "said" | "givenBy" | "answer" | "verdict"> | undefined;
  /** What people without write access were told. */
  readonly refusal: string | undefined;
}

const MOST_LINES = 100;

/** The newest answer takes the place of the one before. */
export function answerView(given: readonly GivenCommand[]): AnswerView | undefined {
  const spoken = given.filter(({ answer }) => answer.lines.length > 0);
  const shown = spoken.filter(({ id }) => !isOperators(id));
  const last = shown.findLast(({ verdict }) => verdict !== "untrusted");
  const refusal = spoken.find(({ verdict }) => verdict === "untrusted")?.answer.lines[0];
  return last === undefined && refusal === undefined ? undefined : { last, refusal };
}

/** The command line answers itself. */
function isOperators(id: string): boolean {
  return id.startsWith("operator:");
}

export function renderAnswer(view: AnswerView | undefined): string {
  if (view === undefined) return "";
  const { last, refusal } = view;
  const parts = [
    ...(last === undefined ? [] : [renderLast(last)]),
    ...(refusal === undefined ? [] : [escapeMarkdown(refusal)]),
  ];
  return `---\n\n${parts.join("\n\n")}`;
}

function renderLast({ said, givenBy, answer, verdict }: NonNullable<AnswerView["last"]>): string {
  const command = said === "misspoken" ? "a command" : `\`/${said}\``;
  const outcome = verdict === "refused" ? " (not done)" : "";
  const head = `**Answer to ${command} by ${escapeMarkdown(`@${givenBy}`, 60)}**${outcome}`;
  const lines = answer.lines.slice(0, MOST_LINES).map((line) => `- ${escapeReason(line)}`);
  return `${head}\n\n${answer.markdown ?? lines.join("\n")}`.trimEnd();
}
