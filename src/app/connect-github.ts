import type { Probot } from "probot";
import { createGit } from "../adapters/git/create-git.ts";
import type { GitOptions } from "../adapters/git/mirror/mirror-git.ts";
import { hostVariables } from "../adapters/git/run/git-environment.ts";
import { ApiBudgets } from "../adapters/github/connection/api-budgets.ts";
import { createBotIdentity } from "../adapters/github/connection/bot-identity.ts";
import { createConnection } from "../adapters/github/connection/connection.ts";
import type { Authentication, Connection } from "../adapters/github/connection/connection.ts";
import {
  createPersonalAccess,
  createPersonalTokens,
} from "../adapters/github/connection/personal-access.ts";
import type { PersonalAccess } from "../adapters/github/connection/personal-access.ts";
import { createAuthentication, createProbot } from "../adapters/github/connection/probot.ts";
import { createGitHub } from "../adapters/github/create-github.ts";
import type { Clock } from "../ports/clock.ts";
import type { GitHub } from "../ports/github.ts";
import type { Aside } from "../ports/host.ts";
import type { AppOptions } from "./app-options.ts";

export interface ConnectedGitHub {
  readonly probot: Probot;
  readonly budgets: ApiBudgets;
  readonly connection: Connection;
  readonly github: GitHub;
  readonly git: ReturnType<typeof createGit>;
}

/** Connects to GitHub by its API and by git, as the App and as whoever lent a token for a personal project. */
export async function connectGitHub(
  options: AppOptions,
  clock: Clock,
  aside: Aside,
): Promise<ConnectedGitHub> {
  const { github: place } = options.operator;
  const probot = await createProbot({ ...options, apiUrl: place.apiUrl });
  const budgets = new ApiBudgets(clock, place.pacing);
  const connection = createConnection(createAuth(probot, options), budgets);
  const github = createGitHub(connection, clock.now, personalAccess(options));
  const token: GitOptions["token"] = (repo) => github.gitToken(repo);
  const identity = createBotIdentity(connection);
  const git = createGit({ ...gitOptions(options), token, identity, now: clock.now, aside });
  return { probot, budgets, connection, github, git };
}

function personalAccess({ operator, environment }: AppOptions): PersonalAccess {
  const tokens = createPersonalTokens(operator.personalProjects, environment);
  return createPersonalAccess(operator.github.apiUrl, tokens);
}

/** Probot keeps tokens for an hour and forgets none; one that is made anew has none to forget. */
function createAuth(probot: Probot, { identity, operator, log }: AppOptions): Authentication {
  let current: Authentication = {
    asApp: () => probot.auth(),
    asInstallation: (id) => probot.auth(id),
  };
  return {
    asApp: () => current.asApp(),
    asInstallation: (id) => current.asInstallation(id),
    renew: () => {
      current = createAuthentication({ ...identity, apiUrl: operator.github.apiUrl, log });
    },
  };
}

function gitOptions({ operator, environment }: AppOptions): Omit<GitOptions, "token" | "now"> {
  return {
    dataDir: operator.dataDir,
    remoteUrl: (repo) => `${operator.github.gitUrl}/${repo}.git`,
    env: hostVariables(environment),
    maxSpares: operator.cleanup.spares,
  };
}
