import type { RepoConfig } from "../config/schema.ts";
import type { Issue, IssueRef } from "../domain/board.ts";
import type { TaskId } from "../domain/ids.ts";
import { taskIdOf } from "../domain/ids.ts";
import type { TaskSpec } from "../domain/task.ts";
import { declarations } from "./declarations.ts";
import type { DeclaredDependencies } from "./declared-dependencies.ts";
import { declaredDependencies } from "./declared-dependencies.ts";
import type { DeclaredFiles } from "./declared-files.ts";
import { declaredFiles } from "./declared-files.ts";
import { markdownLines } from "./markdown-lines.ts";
import { taskLabels } from "./task-labels.ts";

/** GitHub's own limit for the text of an issue. */
const MAX_BODY = 65_536;
/** Twice GitHub's limit for one kind of relation: more is a mistake or an attack. */
const MAX_DEPENDENCIES = 100;

interface Declared {
  readonly files: DeclaredFiles;
  readonly dependencies: DeclaredDependencies;
}

/** Reads a task's rules from its issue. Never throws: what cannot be used is said in `invalid`. */
export function taskSpecFromIssue(issue: Issue, config: RepoConfig): TaskSpec {
  const { problem: labelProblem, ...labels } = taskLabels(issue, config.labels);
  const declared = readBody(issue, config);
  const dependsOn = allDependencies(issue, declared.dependencies.dependsOn);
  return {
    title: issue.title.trim(),
    body: issue.body.slice(0, MAX_BODY),
    claims: declared.files.claims,
    dependsOn: dependsOn.slice(0, MAX_DEPENDENCIES),
    ...labels,
    parent: issue.parent === undefined ? undefined : idOf(issue.parent),
    invalid:
      taskProblem(issue, [labelProblem, declared.dependencies.problem, tooMany(dependsOn)]) ??
      claimProblem(declared.files),
  };
}

function readBody(issue: Issue, config: RepoConfig): Declared {
  const found = declarations(markdownLines(issue.body.length > MAX_BODY ? "" : issue.body));
  return {
    files: declaredFiles(found, config.limits.claims),
    dependencies: declaredDependencies(found, issue.repo),
  };
}

/** Sorted, so that the order in which GitHub lists relations does not change the task. */
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
    issue.body.length > MAX_BODY
      ? `the text has ${issue.body.length} characters, the limit is ${MAX_BODY}`
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
