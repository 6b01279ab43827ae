import type { RepoConfig } from "../../config/schema/repo-config.ts";
import type { Issue, IssueRef } from "../../domain/board.ts";
import { MAX_CONTENDERS } from "../../domain/explore/contenders.ts";
import { taskIdOf } from "../../domain/ids.ts";
import type { TaskId } from "../../domain/ids.ts";
import type { Priority, Size } from "../../domain/plan.ts";
import type { TaskSpec } from "../../domain/task.ts";
import { quote } from "../../shared/quote.ts";
import { declarations } from "./declarations.ts";
import { declaredDependencies } from "./declared-dependencies.ts";
import type { DeclaredDependencies } from "./declared-dependencies.ts";
import type { DeclaredExplore } from "./declared-explore.ts";
import { declaredFiles } from "./declared-files.ts";
import type { DeclaredFiles } from "./declared-files.ts";
import { exploreOfIssue } from "./explore-of-issue.ts";
import { markdownLines } from "./markdown-lines.ts";

/** GitHub has this limit for the text of an issue. */
const MAX_BODY_LENGTH = 65_536;
/** This is twice GitHub's limit for one kind of relation: more is a mistake or an attack. */
const MAX_DEPENDENCIES = 100;

interface Declared {
  readonly files: DeclaredFiles;
  readonly dependencies: DeclaredDependencies;
  /** It is undefined without the label. */
  readonly exploration: DeclaredExplore | undefined;
}

/** Reads a task's rules from its issue. Never throws: what cannot be used is said in `invalid`. */
export function taskSpecFromIssue(issue: Issue, config: RepoConfig): TaskSpec {
  const { problem: labelProblem, ...labels } = taskLabels(issue, config.labels);
  const { files, dependencies, exploration } = readBody(issue, config);
  const dependsOn = allDependencies(issue, dependencies.dependsOn);
  const problems = [labelProblem, dependencies.problem, tooMany(dependsOn), exploration?.problem];
  return {
    title: issue.title.trim(),
    body: issue.body.slice(0, MAX_BODY_LENGTH),
    claims: files.claims,
    dependsOn: dependsOn.slice(0, MAX_DEPENDENCIES),
    ...labels,
    // A task without it is the same as ever.
    ...(exploration?.explore === undefined ? {} : { explore: exploration.explore }),
    parent: issue.parent === undefined ? undefined : idOf(issue.parent),
    invalid: taskProblem(issue, problems) ?? claimProblem(files),
  };
}

/** Returns a task's rules, with the objective that it is part of. */
export function specOfTask(issue: Issue, config: RepoConfig): TaskSpec {
  const spec = taskSpecFromIssue(issue, config);
  const { parent } = issue;
  if (parent === undefined || !hasLabel(parent.labels, config.labels.objective)) return spec;
  return { ...spec, objective: taskIdOf(parent.repo, parent.number) };
}

/**
 * The run that breaks an objective up needs its words and a runner. It only reads, so it is in nobody's way; the claim
 * is on a file that it cannot leave behind.
 */
export function specOfObjective(issue: Issue, { objectives }: RepoConfig): TaskSpec {
  return {
    title: issue.title.trim(),
    body: issue.body,
    kind: "objective",
    dependsOn: [],
    claims: [{ mode: "write", pattern: `.wavetrain/objective-${issue.number}` }],
    parallelSafe: true,
    exclusive: false,
    priority: "normal",
    size: undefined,
    runner: objectives.runner,
    parent: undefined,
    invalid: undefined,
  };
}

/** Such an issue is never a task itself, wherever its card is. */
export function isLabelledObjective(
  { labels }: Pick<Issue, "labels">,
  config: RepoConfig,
): boolean {
  return hasLabel(labels, config.labels.objective);
}

function readBody(issue: Issue, config: RepoConfig): Declared {
  const found = declarations(markdownLines(issue.body.length > MAX_BODY_LENGTH ? "" : issue.body));
  return {
    files: declaredFiles(found, config.limits.claims),
    dependencies: declaredDependencies(found, issue.repo),
    exploration: isExploration(issue, config.labels) ? exploreOfIssue(found, config) : undefined,
  };
}

/** The list is sorted, so that the order in which GitHub lists relations does not change the task. */
function allDependencies(issue: Issue, written: readonly TaskId[]): readonly TaskId[] {
  const own = issue.blockedBy.map(idOf);
  // A parent may be blocked by its own subtask; that must not make the subtask wait for itself.
  const inherited = (issue.parent?.blockedBy ?? []).map(idOf).filter((id) => id !== idOf(issue));
  return [...new Set([...own, ...inherited, ...written])].sort();
}

function taskProblem(
  issue: Issue,
  found: readonly (string | undefined)[],
): TaskSpec["invalid"] | undefined {
  const oversized =
    issue.body.length > MAX_BODY_LENGTH
      ? `the text has ${issue.body.length} characters, the limit is ${MAX_BODY_LENGTH}`
      : undefined;
  const untitled = issue.title.trim() === "" ? "the issue has no title" : undefined;
  const reason = [oversized, untitled, ...found].find((problem) => problem !== undefined);
  return reason === undefined ? undefined : { code: "bad-task", reason };
}

function claimProblem({ problem }: DeclaredFiles): TaskSpec["invalid"] | undefined {
  return problem === undefined ? undefined : { code: "bad-claim", reason: problem };
}

function tooMany(dependsOn: readonly TaskId[]): string | undefined {
  if (dependsOn.length <= MAX_DEPENDENCIES) return undefined;
  return `${dependsOn.length} dependencies are declared, the limit is ${MAX_DEPENDENCIES}`;
}

function idOf(ref: IssueRef): TaskId {
  return taskIdOf(ref.repo, ref.number);
}

/** GitHub ignores the letter case of labels. */
function hasLabel(labels: readonly string[], name: string): boolean {
  return labels.some((label) => label.trim().toLowerCase() === name.toLowerCase());
}

/** An objective is broken into tasks, whatever else it is labelled. */
function isExploration({ labels }: Issue, names: RepoConfig["labels"]): boolean {
  return hasLabel(labels, names.explore) && !hasLabel(labels, names.objective);
}

/** An issue's labels say this; GitHub ignores their letter case. */
type TaskLabels = Pick<
  TaskSpec,
  "parallelSafe" | "exclusive" | "priority" | "size" | "runner" | "contenders"
> & {
  readonly problem: string | undefined;
};

const SIZES: readonly Size[] = ["xl", "l", "m", "s"];

function taskLabels(issue: Issue, names: RepoConfig["labels"]): TaskLabels {
  const labels = issue.labels.map((label) => label.trim().toLowerCase());
  const has = (name: string) => labels.includes(name.toLowerCase());
  const parents = issue.parent?.labels.map((label) => label.trim().toLowerCase()) ?? [];
  const runners = [...new Set(valuesAfter(names.runnerPrefix, labels))];
  const sizes = valuesAfter(names.sizePrefix, labels);
  const counts = [...new Set(valuesAfter(names.candidatesPrefix, labels))];
  const countProblem =
    contendersProblem(counts, names.candidatesPrefix) ??
    (isExploration(issue, names) ? bothProblem(counts, names) : undefined);
  return {
    parallelSafe: has(names.parallelSafe) || parents.includes(names.parallelSafe.toLowerCase()),
    exclusive: has(names.exclusive),
    priority: priorityFrom(has(names.priorityHigh), has(names.priorityLow)),
    // With several sizes the largest is the safe estimate.
    size: SIZES.find((size) => sizes.includes(size)),
    runner: runners[0],
    // Every task has one contender: if it is left out, the task is the same as without the label.
    ...(countProblem === undefined && Number(counts[0] ?? 1) > 1
      ? { contenders: Number(counts[0]) }
      : {}),
    problem: runnerProblem(runners) ?? countProblem,
  };
}

function valuesAfter(prefix: string, labels: readonly string[]): readonly string[] {
  const start = prefix.toLowerCase();
  return labels
    .filter((label) => label.startsWith(start) && label.length > start.length)
    .map((label) => label.slice(start.length).trim());
}

function priorityFrom(high: boolean, low: boolean): Priority {
  if (high) return "high";
  return low ? "low" : "normal";
}

function runnerProblem(runners: readonly string[]): string | undefined {
  if (runners.length < 2) return undefined;
  return `labels name ${runners.length} runners, ${runners.map(quote).join(" and ")}: keep one`;
}

function contendersProblem(counts: readonly string[], prefix: string): string | undefined {
  const bad = counts.find((count) => !/^[1-9]$/.test(count) || Number(count) > MAX_CONTENDERS);
  if (bad !== undefined) {
    return `label ${quote(`${prefix}${bad}`)} asks for no number of contenders from 1 to ${MAX_CONTENDERS}`;
  }
  if (counts.length < 2) return undefined;
  return `labels ask for ${counts.join(" and for ")} contenders: keep one`;
}

/** An exploration has as many runs as its ideas want. */
function bothProblem(
  [count]: readonly string[],
  { candidatesPrefix, explore }: RepoConfig["labels"],
): string | undefined {
  if (count === undefined) return undefined;
  return `labels ask for ${quote(explore)} and for ${quote(`${candidatesPrefix}${count}`)}: keep one`;
}
