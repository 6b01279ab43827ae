import { generateKeyPairSync, randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Logger } from "pino";
import { startApp } from "../../app.ts";
import type { RunningApp } from "../../run-app.ts";
import { departures, differencesFromDefaults } from "../../config/differences.ts";
import type { Difference } from "../../config/differences.ts";
import type { Issue } from "../../local-github/model/issue.ts";
import type { Repository } from "../../local-github/model/repository.ts";
import { startLocalGitHub } from "../../local-github/start-local-github.ts";
import type { LocalGitHub } from "../../local-github/start-local-github.ts";
import type { DeclaredTask } from "../task-file.ts";
import { readAppManifest } from "./app-manifest.ts";
import { issueBody, issueLabels } from "./issue-body.ts";
import { SAMPLE_FILES } from "./sample-project.ts";
import { TRIAL_REASONS, trialConfig } from "./trial-config.ts";
import type { TryOptions } from "./try-options.ts";

const ORGANIZATION = "local";
export const AUTHOR = "you";
export const REVIEWER = "reviewer";
const COLUMNS = ["Backlog", "Ready", "In progress", "In review", "Queued", "Blocked", "Done"];
const APP = { id: 1, slug: "wavetrain", name: "wavetrain" };

/** A GitHub of our own with a repository, a board and the app at work on it. */
export interface Stage {
  readonly github: LocalGitHub;
  readonly app: RunningApp;
  readonly repository: Repository;
  /** By the task's id in the file. */
  readonly issues: ReadonlyMap<string, Issue>;
  /** Settings of the app that are not the defaults. */
  readonly differences: readonly Difference[];
  close(): Promise<void>;
}

export interface StageOptions {
  readonly options: TryOptions;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
}

export async function setStage(wanted: StageOptions): Promise<Stage> {
  const { publicKey, privateKey } = newKey();
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

function newKey(): { readonly publicKey: string; readonly privateKey: string } {
  return generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
}

async function fillGitHub(
  github: LocalGitHub,
  options: TryOptions,
): Promise<Pick<Stage, "repository" | "issues">> {
  github.addOrganization(ORGANIZATION);
  for (const login of [AUTHOR, REVIEWER]) github.addUser(login);
  const repository = await github.addRepository({
    owner: ORGANIZATION,
    name: repositoryName(options.repo),
    from: options.repo ?? SAMPLE_FILES,
    roles: { [AUTHOR]: "admin", [REVIEWER]: "write" },
  });
  const project = github.addProject({ org: ORGANIZATION, title: "Board", columns: COLUMNS });
  const issues = openIssues(github, repository, options.tasks);
  for (const issue of issues.values()) github.addCard(project, issue, "Backlog");
  github.installApp({ account: ORGANIZATION, ...(await readAppManifest()) });
  return { repository, issues };
}

function repositoryName(path: string | undefined): string {
  const name =
    path
      ?.split("/")
      .at(-1)
      ?.replaceAll(/[^A-Za-z0-9._-]/g, "-") ?? "";
  return /^[A-Za-z0-9]/.test(name) ? name.replace(/\.git$/, "") : "text-tools";
}

/** Issues are numbered in the order of the file, so dependencies can be named before they are opened. */
function openIssues(
  github: LocalGitHub,
  repository: Repository,
  tasks: readonly DeclaredTask[],
): ReadonlyMap<string, Issue> {
  const numbers = new Map(tasks.map((task, index) => [task.id, index + 1]));
  const author = github.as(AUTHOR);
  return new Map(
    tasks.map((task) => {
      const title = task.title === "" ? task.id : task.title;
      const body = issueBody(task, numbers);
      const labels = issueLabels(task);
      return [task.id, author.openIssue({ repo: repository, title, body, labels })];
    }),
  );
}
