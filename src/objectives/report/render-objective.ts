import type { RepoName } from "../../domain/ids.ts";
import type { Run } from "../../domain/run.ts";
import type { Task } from "../../domain/task.ts";
import { escapeMarkdown, escapeReason, logBlock } from "../../report/render/escape-markdown.ts";
import { renderAnswer } from "../../report/render/render-answer.ts";
import type { AnswerView } from "../../report/render/render-answer.ts";
import { COMMENT_MARKER } from "../../report/render/render-comment.ts";
import { renderLeftOut, renderOffered } from "../../report/render/render-issue-text.ts";
import { renderOutcome } from "../../report/render/render-outcome.ts";
import { assertNever } from "../../shared/assert-never.ts";
import { isReached } from "./progress.ts";
import type { Part } from "./progress.ts";
import { renderParts, renderSummary } from "./render-parts.ts";

export interface ObjectiveView {
  readonly repo: RepoName;
  /** This task breaks the objective up. It is undefined where people did that themselves. */
  readonly task:
    (Pick<Task, "state" | "reason"> & Partial<Pick<Task, "spec" | "disregarded">>) | undefined;
  /** This is the task's latest run. */
  readonly run: Pick<Run, "outcome"> | undefined;
  readonly parts: readonly Part[];
  /** Says whether issues are still being opened. */
  readonly unfinished: boolean;
  /** Shows the waves as Mermaid. It is empty when there is nothing to show. */
  readonly picture: string;
  /** Is the time from the label to the last landing. It is undefined while the last landing lies ahead. */
  readonly tookMs: number | undefined;
  /** Says whether the objective is closed when it is reached. */
  readonly closes: boolean;
  /** Names the column where the tasks wait. It is undefined if they wait elsewhere. */
  readonly column: string | undefined;
  readonly answer?: AnswerView | undefined;
}

/** Renders the one comment on an objective, which is edited in place. The same view gives the same text. */
export function renderObjective(view: ObjectiveView): string {
  const parts = [`${COMMENT_MARKER}\n**Objective** · ${headline(view)}`, ...sections(view)];
  const text = [...parts, renderAnswer(view.answer)].filter((part) => part !== "").join("\n\n");
  return `${text}\n`;
}

function headline({ task, parts, unfinished }: ObjectiveView): string {
  if (parts.length > 0 && !unfinished) return countText(parts);
  if (unfinished || task === undefined) return "its tasks are being opened";
  switch (task.state) {
    case "landed":
      return "its tasks are being opened";
    case "waiting":
      return "waits to be broken into tasks";
    case "blocked":
      return "held back";
    case "running":
    case "review":
    case "queued":
      return "is being broken into tasks";
    case "failed":
      return "could not be broken into tasks";
    case "cancelled":
      return "cancelled";
    default:
      return assertNever(task.state);
  }
}

function countText(parts: readonly Part[]): string {
  const landed = parts.filter(({ state }) => state === "landed").length;
  const dropped = parts.filter(({ state }) => state === "dropped").length;
  const also = dropped === 0 ? "" : `, ${dropped} dropped`;
  return `${landed} of ${parts.length - dropped} landed${also}`;
}

function sections(view: ObjectiveView): readonly string[] {
  const { task, parts, unfinished } = view;
  if (unfinished) return ["They are opened a few at a time; nothing of them runs by itself."];
  if (parts.length > 0) return progressSections(view);
  if (task === undefined || task.state === "landed") return [];
  return [
    task.reason.trim() === "" || task.state === "running" ? "" : `> ${escapeReason(task.reason)}`,
    task.disregarded === undefined ? "" : `Not counted: ${escapeReason(task.disregarded)}`,
    ...textSections(task.spec),
    ...failureSections(view),
    ADVICE[task.state] ?? "",
  ];
}

function textSections(spec: Task["spec"] | undefined): readonly string[] {
  return spec === undefined ? [] : [renderOffered(spec), renderLeftOut(spec)];
}

const AGAIN = "take the label off and put it on again";
const ADVICE: Readonly<Partial<Record<Task["state"], string>>> = {
  blocked: `To start again, let someone with write access ${AGAIN}.`,
  failed: `Say more precisely what is wanted, then ${AGAIN}.`,
  cancelled: `To start again, ${AGAIN}.`,
};

function failureSections({ task, run }: ObjectiveView): readonly string[] {
  const outcome = run?.outcome;
  if (outcome === undefined || (task?.state !== "failed" && task?.state !== "waiting")) return [];
  if (outcome.kind !== "verify-failed") return [`- Last run: ${renderOutcome(outcome)}`];
  return [`The proposal could not be used:\n\n${logBlock(outcome.tail)}`];
}

function progressSections(view: ObjectiveView): readonly string[] {
  const { parts, picture, repo } = view;
  if (isReached(parts)) {
    return [bar(parts), renderSummary(parts, view), closing(view)];
  }
  return [bar(parts), renderParts(parts, repo), picture, waitingText(view)];
}

const BAR_LENGTH = 20;

function bar(parts: readonly Part[]): string {
  const wanted = parts.filter(({ state }) => state !== "dropped");
  const share = wanted.filter(({ state }) => state === "landed").length / (wanted.length || 1);
  const full = Math.floor(share * BAR_LENGTH);
  return `\`${"█".repeat(full)}${"░".repeat(BAR_LENGTH - full)}\` ${Math.floor(share * 100)} %`;
}

function waitingText({ parts, column }: ObjectiveView): string {
  const waiting = parts.filter(({ state }) => state === "backlog");
  if (waiting.length === 0) return "";
  const where = column === undefined ? "" : ` in ${escapeMarkdown(column)}`;
  return `Nothing runs until a person wants it: read the tasks${where}, change what is wrong, and make those ready that should be done.`;
}

function closing({ closes }: ObjectiveView): string {
  return closes
    ? "Everything has landed, so this is closed. If something is missing, open it again and add a sub-issue."
    : "Everything has landed. If that is all, close this issue; if something is missing, add a sub-issue.";
}
