import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Logger } from "pino";
import { fillWorld } from "../../../local-github/fill-world.ts";
import type { WantedIssue, WantedRepository } from "../../../local-github/fill-world.ts";
import type { Issue } from "../../../local-github/model/issue.ts";
import type { Repository } from "../../../local-github/model/repository.ts";
import { newAppKey } from "../../../local-github/new-app-key.ts";
import { startLocalGitHub } from "../../../local-github/start-local-github.ts";
import type { LocalGitHub } from "../../../local-github/start-local-github.ts";
import type { RunningApp } from "../../app/run-app.ts";
import { departures, differencesFromDefaults } from "../../config/repository/differences.ts";
import type { Difference, Reasons } from "../../config/repository/differences.ts";
import type { OperatorConfig } from "../../config/schema/operator-config.ts";
import { repoName } from "../../domain/ids.ts";
import type { RepoName } from "../../domain/ids.ts";
import { startApp } from "../../index.ts";
import { readAppManifest } from "../text/package-file.ts";
import { BOARD_COLUMNS } from "./board-columns.ts";

/** A stage is a GitHub of our own with a repository, a board and the app at work on it. */
export interface Stage {
  readonly github: LocalGitHub;
  readonly app: RunningApp;
  readonly repository: Repository;
  /** They are in the order in which they were wanted. */
  readonly issues: readonly Issue[];
  /** These are the settings of the app that are not the defaults. */
  readonly differences: readonly Difference[];
  close(): Promise<void>;
}

export const ORGANIZATION = "local";
export const AUTHOR = "you";
export const REVIEWER = "reviewer";
const APP = { id: 1, slug: "wavetrain", name: "wavetrain" };

/** The app's settings depend on where the stage is. */
export interface StagePlace {
  readonly folder: string;
  /** This is the address of the local GitHub. */
  readonly url: string;
  /** It is written as `owner/name`. */
  readonly repo: string;
}

export interface StageOptions {
  readonly folder: string;
  readonly port: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  readonly source: Pick<WantedRepository, "name" | "from">;
  readonly issues: readonly Pick<WantedIssue, "title" | "body" | "labels">[];
  readonly configOf: (place: StagePlace) => Promise<OperatorConfig>;
  /** They say why settings are not the defaults. */
  readonly reasons: Reasons;
}

/** Copies the repository, opens the issues in the column Backlog, and starts the app. */
export async function setStage(wanted: StageOptions): Promise<Stage> {
  const { environment, folder, log, port, source, reasons } = wanted;
  const { publicKey, privateKey } = newAppKey();
  const webhookSecret = randomBytes(24).toString("hex");
  const github = await startLocalGitHub({
    dataDir: join(folder, "github"),
    port,
    pages: { as: REVIEWER },
    app: { ...APP, publicKey, webhookSecret },
  });
  try {
    const { repository, issues } = await fillGitHub(github, wanted);
    const identity = { appId: APP.id, privateKey, webhookSecret };
    const repo = `${ORGANIZATION}/${source.name}`;
    const operator = await wanted.configOf({ folder, url: github.url, repo });
    const app = await startApp({ operator, identity, environment, log });
    github.setWebhookUrl(app.webhookUrl);
    const close = async (): Promise<void> => {
      await app.stop("stop");
      await github.close();
    };
    const differences = departures(differencesFromDefaults(operator, reasons));
    return { github, app, repository, issues, differences, close };
  } catch (error) {
    await github.close();
    throw error;
  }
}

export function repositoryOf({ repository }: Pick<Stage, "repository">): RepoName {
  return repoName(`${repository.owner.login}/${repository.name}`);
}

async function fillGitHub(
  github: LocalGitHub,
  { source, issues: wanted }: StageOptions,
): Promise<Pick<Stage, "repository" | "issues">> {
  // On GitHub an owner grants this where it is wanted; nobody needs to be asked for a copy.
  const manifest = await readAppManifest();
  const place = { repository: source.name, author: AUTHOR, column: "Backlog" };
  const { repositories, issues } = await fillWorld(github, {
    organization: ORGANIZATION,
    people: { [AUTHOR]: "admin", [REVIEWER]: "write" },
    repositories: [source],
    board: { title: "Board", columns: BOARD_COLUMNS },
    issues: wanted.map((issue) => ({ ...issue, ...place })),
    installation: { ...manifest, permissions: { ...manifest.permissions, workflows: "write" } },
  });
  const [repository] = repositories;
  if (repository === undefined) throw new Error("the local GitHub has no repository");
  return { repository, issues };
}
