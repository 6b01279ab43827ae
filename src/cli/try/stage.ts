import type { Logger } from "pino";
import type { Issue } from "../../../local-github/model/issue.ts";
import type { LocalGitHub } from "../../../local-github/start-local-github.ts";
import { aliasMarker } from "../../domain/markers.ts";
import type { DeclaredTask } from "../input/task-file.ts";
import { repositoryName } from "../trial/find-source.ts";
import { REVIEWER, setStage } from "../trial/stage.ts";
import type { Stage as TrialStage, StageOptions } from "../trial/stage.ts";
import type { TryOptions } from "./input/options.ts";
import { SAMPLE_FILES } from "./input/sample-project.ts";
import { trialConfig, TRY_REASONS } from "./input/trial-config.ts";

export interface Stage extends Omit<TrialStage, "issues"> {
  /** The key is the task's id in the file. */
  readonly issues: ReadonlyMap<string, Issue>;
}

interface TryStage {
  readonly options: TryOptions;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
}

/** A dependency that is not in the file is left for the planner to report: it gets a number from here on that no issue has. */
const NO_SUCH_ISSUE = 900_001;

/** Sets a stage with an issue for each task. */
export async function setTryStage({ options, ...wanted }: TryStage): Promise<Stage> {
  const { repo, tasks, port } = options;
  const stage = await setStage({
    ...wanted,
    port,
    source: { name: repositoryName(repo), from: repo ?? SAMPLE_FILES },
    issues: wantedIssues(tasks),
    configOf: (place) => trialConfig(options, place),
    reasons: TRY_REASONS,
  });
  const byId = stage.issues.flatMap((issue, at) => {
    const id = tasks[at]?.id;
    return id === undefined ? [] : [[id, issue] as const];
  });
  return { ...stage, issues: new Map(byId) };
}

/** Issues are numbered in the order of the file, so dependencies can be named before they are opened. */
function wantedIssues(tasks: readonly DeclaredTask[]): StageOptions["issues"] {
  const numbers = issueNumbers(tasks);
  return tasks.map((task) => ({
    title: task.title === "" ? task.id : task.title,
    body: issueBody(task, numbers),
    labels: issueLabels(task),
  }));
}

/** Numbers the issues of the tasks, and what they depend on that is not among them. */
export function issueNumbers(tasks: readonly DeclaredTask[]): ReadonlyMap<string, number> {
  const known = new Map(tasks.map((task, index) => [task.id, index + 1]));
  const named = new Set(tasks.flatMap(({ dependsOn }) => dependsOn));
  const unknown = [...named].filter((id) => !known.has(id));
  return new Map([...known, ...unknown.map((id, index) => [id, NO_SUCH_ISSUE + index] as const)]);
}

/** Writes a task of a file as the issue that a person would have written with the form. */
export function issueBody(task: DeclaredTask, numbers: ReadonlyMap<string, number>): string {
  const files = [...task.files, ...task.reads.map((pattern) => `read: ${pattern}`)];
  const dependencies = task.dependsOn.map((id) => `#${numbers.get(id) ?? NO_SUCH_ISSUE}`);
  // The rules come before the task's own words, because those may contain anything.
  return [
    aliasMarker(task.id),
    ...(files.length === 0 ? [] : [`### Files\n\n\`\`\`\n${files.join("\n")}\n\`\`\``]),
    ...(dependencies.length === 0 ? [] : [`Depends on ${dependencies.join(", ")}`]),
    `### Task\n\n${task.body === "" ? task.title : task.body}`,
  ].join("\n\n");
}

/** In a task file, a task that declares its files is safe to run beside others unless it says otherwise. */
export function issueLabels(task: DeclaredTask): readonly string[] {
  const safe = task.files.length > 0 && !task.exclusive;
  return [...new Set([...task.labels, ...(safe ? ["parallel-safe"] : [])])];
}

/** Lets a reviewer approve every pull request, and again whenever it gets new commits. */
export function approveEverything(github: LocalGitHub): void {
  github.world.listeners.push((event) => {
    if (event.name !== "pull_request") return;
    if (event.action !== "opened" && event.action !== "synchronize") return;
    // This happens after the event: a listener must not change the world that is being told about.
    setImmediate(() => github.as(REVIEWER).approve(event.pull));
  });
}
