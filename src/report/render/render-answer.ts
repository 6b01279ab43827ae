import type { GivenCommand } from "../../domain/given-command.ts";
import { escapeMarkdown, escapeReason } from "./escape-markdown.ts";

/** The comment on an issue says this to those who gave commands there. */
export interface AnswerView {
  /** This is the last command of someone who may give them. */
  readonly last: Pick<GivenCommand, "said" | "givenBy" | "answer" | "result" | "at"> | undefined;
  /** People without write access were told this. */
  readonly refusal: string | undefined;
}

const MAX_LINES = 100;

/** The newest answer takes the place of the one before. */
export function answerView(given: readonly GivenCommand[]): AnswerView | undefined {
  const answered = given.filter(({ answer }) => answer.lines.length > 0);
  const shown = answered.filter(({ id }) => !isOperators(id));
  const last = shown.findLast(({ result }) => result !== "untrusted");
  const refusal = answered.find(({ result }) => result === "untrusted")?.answer.lines[0];
  return last === undefined && refusal === undefined ? undefined : { last, refusal };
}

/** Says whether the command came from the command line, which shows the answer itself. */
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

function renderLast({ said, givenBy, answer, result }: NonNullable<AnswerView["last"]>): string {
  const command = said === "malformed" ? "a command" : `\`/${said}\``;
  const outcome = result === "refused" ? " (not done)" : "";
  const head = `**Answer to ${command} by ${escapeMarkdown(`@${givenBy}`, 60)}**${outcome}`;
  const lines = answer.lines.slice(0, MAX_LINES).map((line) => `- ${escapeReason(line)}`);
  return `${head}\n\n${answer.markdown ?? lines.join("\n")}`.trimEnd();
}
