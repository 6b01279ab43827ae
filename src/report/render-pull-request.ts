import { candidateRef } from "../domain/candidate-ref.ts";
import { markOwnPart } from "../domain/own-part.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import type { Usage } from "../domain/usage.ts";
import { codeSpan, inertLine, textBlock } from "./escape-markdown.ts";
import { renderClaims } from "./render-claims.ts";
import { renderCost } from "./render-cost.ts";
import { countOf, renderOutcome, renderPaths } from "./render-outcome.ts";
import type { Origin } from "./render-trailers.ts";
import { renderTrailers } from "./render-trailers.ts";

export interface PullRequestView {
  readonly task: Pick<Task, "id" | "issue" | "spec">;
  readonly origin: Origin;
  readonly runner: string;
  readonly attempt: number;
  /** Every changed path. */
  readonly files: readonly string[];
  /** Those of them that the task did not declare. */
  readonly outside: readonly string[];
  readonly verify: { readonly command: string; readonly verdict: "green" | "not-run" } | undefined;
  readonly notes: string;
  /** Of every run for the task that tells it, this one included. */
  readonly usage: readonly Usage[];
  /** All runs of the attempt, where there were several. */
  readonly candidates: readonly Pick<Run, "id" | "attempt" | "candidate" | "outcome">[];
}

export interface PullRequestText {
  readonly title: string;
  readonly body: string;
}

/** GitHub refuses longer ones. */
const TITLE_LENGTH = 250;
const MOST_FILES = 30;

/** Title and body of the pull request for a task. Only the first line of our own part closes an issue. */
export function renderPullRequest(view: PullRequestView): PullRequestText {
  const { task, notes } = view;
  const title = inertLine(task.spec.title, TITLE_LENGTH);
  const sections = [
    `Closes #${task.issue}.`,
    `**Scope**\n\n${scopeLines(view).join("\n")}`,
    `**Verification**\n\n${verificationText(view.verify)}`,
    candidatesText(view),
    notes.trim() === "" ? "" : `**Notes of the run**\n\n${textBlock(notes)}`,
    `Made by runner ${codeSpan(view.runner)}, attempt ${view.attempt}.${renderCost(view.usage)} Approve and it lands; request changes and a run works on them.`,
    renderTrailers(view.origin),
  ];
  return {
    title: title === "" ? `Task #${task.issue}` : title,
    body: markOwnPart(sections.filter((section) => section !== "").join("\n\n")),
  };
}

function scopeLines({ task, files, outside }: PullRequestView): readonly string[] {
  const { claims } = task.spec;
  const declared = claims.length === 0 ? "nothing" : renderClaims(claims);
  const changed = `- Changed: ${countOf(files.length, "file")}, ${renderPaths(files, MOST_FILES)}`;
  const beyond = `- **Not declared, please look closely**: ${renderPaths(outside, MOST_FILES)}`;
  return [`- Declared: ${declared}`, changed, ...(outside.length === 0 ? [] : [beyond])];
}

function verificationText(verify: PullRequestView["verify"]): string {
  if (verify === undefined) return "None is configured: set `verify` in `.github/wavetrain.yml`.";
  const command = codeSpan(verify.command);
  return verify.verdict === "green"
    ? `${command} passed on this change. It runs again on exactly what is about to land.`
    : `${command} runs on exactly what is about to land.`;
}

function candidatesText({ candidates, task, origin }: PullRequestView): string {
  if (candidates.length === 0) return "";
  const lines = candidates.map((run) => {
    const isThis = run.id === origin.run;
    const where = isThis ? "this one" : `kept as ${codeSpan(candidateRef(task, run))}`;
    return `- Candidate ${run.candidate}, ${where}: ${outcomeText(run.outcome)}`;
  });
  return `**Candidates**\n\n${lines.join("\n")}`;
}

function outcomeText(outcome: Run["outcome"]): string {
  if (outcome === undefined) return "not finished";
  const score = outcome.kind === "succeeded" ? outcome.score : undefined;
  return `${renderOutcome(outcome)}${score === undefined ? "" : `, score ${score}`}`;
}
