import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Logger } from "pino";
import { fillWorld } from "../../../local-github/fill-world.ts";
import type { WantedIssue } from "../../../local-github/fill-world.ts";
import type { Issue } from "../../../local-github/model/issue.ts";
import type { Repository } from "../../../local-github/model/repository.ts";
import { newAppKey } from "../../../local-github/new-app-key.ts";
import { startLocalGitHub } from "../../../local-github/start-local-github.ts";
import type { LocalGitHub } from "../../../local-github/start-local-github.ts";
import type { RunningApp } from "../../app/run-app.ts";
import { departures, differencesFromDefaults } from "../../config/repository/differences.ts";
import type { Difference } from "../../config/repository/differences.ts";
import { aliasMarker } from "../../domain/markers.ts";
import { startApp } from "../../index.ts";
import type { DeclaredTask } from "../input/task-file.ts";
import { readAppManifest } from "../text/package-file.ts";
import type { TryOptions } from "./input/options.ts";
import { repositoryName } from "./input/find-source.ts";
import { BOARD_COLUMNS, SAMPLE_FILES } from "./input/sample-project.ts";
import { TRIAL_REASONS, trialConfig } from "./input/trial-config.ts";

/** A stage is a GitHub of our own with a repository, a board and the app at work on it. */
export interface Stage {
  readonly github: LocalGitHub;
  readonly app: RunningApp;
  readonly repository: Repository;
  /** The key is the task's id in the file. */
  readonly issues: ReadonlyMap<string, Issue>;
  /** These are the settings of the app that are not the defaults. */
  readonly differences: readonly Difference[];
  close(): Promise<void>;
}

const ORGANIZATION = "local";
export const AUTHOR = "you";
const REVIEWER = "reviewer";
const APP = { id: 1, slug: "wavetrain", name: "wavetrain" };

interface StageOptions {
  readonly options: TryOptions;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
}

/** A dependency that is not in the file is left for the planner to report: it gets a number from here on that no issue has. */
const NO_SUCH_ISSUE = 900_001;

export async function setStage(wanted: StageOptions): Promise<Stage> {
  const { publicKey, privateKey } = newAppKey();
  const webhookSecret = randomBytes(24).toString("hex");
  const github = await startLocalGitHub({
    dataDir: join(wanted.folder, "github"),
    port: wanted.options.port,
    pages: { as: REVIEWER },
    app: { ...APP, publicKey, webhookSecret },
  });
  try {
    const { repository, issues } = await fillGitHub(github, wanted.options);
    const identity = { appId: APP.id, privateKey, webhookSecret };
    const { environment, folder, log, options } = wanted;
    const repo = `${ORGANIZATION}/${repository.name}`;
    const operator = await trialConfig(options, { folder, url: github.url, repo });
    const app = await startApp({ operator, identity, environment, log });
    github.setWebhookUrl(app.webhookUrl);
    const close = async (): Promise<void> => {
      await app.stop("stop");
      await github.close();
    };
    const differences = departures(differencesFromDefaults(operator, TRIAL_REASONS));
    return { github, app, repository, issues, differences, close };
  } catch (error) {
    await github.close();
    throw error;
  }
}

async function fillGitHub(
  github: LocalGitHub,
  { repo, tasks }: TryOptions,
): Promise<Pick<Stage, "repository" | "issues">> {
  const name = repositoryName(repo);
  // On GitHub an owner grants this where it is wanted; nobody needs to be asked for a copy.
  const manifest = await readAppManifest();
  const { repositories, issues } = await fillWorld(github, {
    organization: ORGANIZATION,
    people: { [AUTHOR]: "admin", [REVIEWER]: "write" },
    repositories: [{ name, from: repo ?? SAMPLE_FILES }],
    board: { title: "Board", columns: BOARD_COLUMNS },
    issues: wantedIssues(tasks, name),
    installation: { ...manifest, permissions: { ...manifest.permissions, workflows: "write" } },
  });
  const [repository] = repositories;
  if (repository === undefined) throw new Error("the local GitHub has no repository");
  const ids = tasks.map(({ id }) => id);
  const byId = issues.flatMap((issue, at) =>
    ids[at] === undefined ? [] : [[ids[at], issue] as const],
  );
  return { repository, issues: new Map(byId) };
}

/** Issues are numbered in the order of the file, so dependencies can be named before they are opened. */
function wantedIssues(tasks: readonly DeclaredTask[], repository: string): readonly WantedIssue[] {
  const numbers = issueNumbers(tasks);
  return tasks.map((task) => ({
    repository,
    title: task.title === "" ? task.id : task.title,
    body: issueBody(task, numbers),
    labels: issueLabels(task),
    author: AUTHOR,
    column: "Backlog",
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
