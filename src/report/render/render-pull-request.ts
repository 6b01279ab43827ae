import { markOwnPart } from "../../domain/markers.ts";
import type { Usage } from "../../domain/run.ts";
import type { Exploring } from "../../domain/story/task-story.ts";
import type { Task } from "../../domain/task.ts";
import { codeSpan, inertLine, textBlock } from "./escape-markdown.ts";
import { renderTrailers } from "./render-commit-message.ts";
import type { Origin } from "./render-commit-message.ts";
import { renderExploration } from "./render-exploration.ts";
import { countOf } from "./render-outcome.ts";
import { renderClaims, renderPaths } from "./render-paths.ts";

export interface PullRequestView {
  readonly task: Pick<Task, "id" | "issue" | "spec">;
  readonly origin: Origin;
  readonly runner: string;
  readonly attempt: number;
  /** This is every changed path. */
  readonly files: readonly string[];
  /** The task did not declare these of them. */
  readonly outside: readonly string[];
  readonly verify: { readonly command: string; readonly verdict: "green" | "not-run" } | undefined;
  readonly notes: string;
  /** Every run for the task that tells its usage counts, this one included. */
  readonly usage: readonly Usage[];
  /** The change was taken from several. */
  readonly exploring: Exploring | undefined;
}

export interface PullRequestText {
  readonly title: string;
  readonly body: string;
}

/** GitHub refuses longer titles. */
const MAX_TITLE_LENGTH = 250;
const MAX_FILES = 30;

/** Writes title and body of the pull request for a task. Only the first line of our own part closes an issue. */
export function renderPullRequest(view: PullRequestView): PullRequestText {
  const { task, notes } = view;
  const title = inertLine(task.spec.title, MAX_TITLE_LENGTH);
  const before = [
    `Closes #${task.issue}.`,
    `**Scope**\n\n${scopeLines(view).join("\n")}`,
    `**Verification**\n\n${verificationText(view.verify)}`,
  ];
  const after = [
    notes.trim() === "" ? "" : `**Notes of the run**\n\n${textBlock(notes)}`,
    `Made by runner ${codeSpan(view.runner)}, attempt ${view.attempt}.${renderCost(view.usage)} Approve and it lands; request changes and a run works on them.`,
    renderTrailers(view.origin),
  ];
  const sections = [...before, explorationText(view, [...before, ...after]), ...after];
  return {
    title: title === "" ? `Task #${task.issue}` : title,
    body: markOwnPart(sections.filter((section) => section !== "").join("\n\n")),
  };
}

function scopeLines({ task, files, outside }: PullRequestView): readonly string[] {
  const { claims } = task.spec;
  const declared = claims.length === 0 ? "nothing" : renderClaims(claims);
  const changed = `- Changed: ${countOf(files.length, "file")}, ${renderPaths(files, MAX_FILES)}`;
  const beyond = `- **Not declared, please look closely**: ${renderPaths(outside, MAX_FILES)}`;
  return [`- Declared: ${declared}`, changed, ...(outside.length === 0 ? [] : [beyond])];
}

function verificationText(verify: PullRequestView["verify"]): string {
  if (verify === undefined) return "None is configured: set `verify` in `.github/wavetrain.yml`.";
  const command = codeSpan(verify.command);
  return verify.verdict === "green"
    ? `${command} passed on this change. It runs again on exactly what is about to land.`
    : `${command} runs on exactly what is about to land.`;
}

function explorationText(
  { exploring, task, origin }: PullRequestView,
  beside: readonly string[],
): string {
  if (exploring === undefined) return "";
  return renderExploration({ ...exploring, task, taken: origin.run }, beside);
}

/** Says what the runs for a task cost together, as a sentence that follows another; empty where no runner tells. */
function renderCost(usage: readonly Usage[]): string {
  if (usage.length === 0) return "";
  const dollars = usage.flatMap(({ costUsd }) => costUsd ?? []);
  const costs = [
    // Two dollar signs in a text would begin a formula.
    ...(dollars.length === 0 ? [] : [`${sum(dollars).toFixed(2)} USD`]),
    `${grouped(sum(usage.map(({ inputTokens }) => inputTokens)))} tokens read`,
    `${grouped(sum(usage.map(({ outputTokens }) => outputTokens)))} written`,
  ];
  return ` Cost of ${countOf(usage.length, "run")}: ${costs.join(", ")}.`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function grouped(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
