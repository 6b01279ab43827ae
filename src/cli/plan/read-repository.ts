import type { Command } from "commander";
import { createRemoteBoard } from "../../adapters/github/read-remote-board.ts";
import type { RemoteAccess } from "../../adapters/github/remote-client.ts";
import { readVariables } from "../../config/env.ts";
import { repoName } from "../../domain/ids.ts";
import type { RepoName } from "../../domain/ids.ts";
import { AppError } from "../../shared/app-error.ts";
import { quote } from "../../shared/quote.ts";
import type { PlanInput, RepositoryOptions } from "./plan-input.ts";
import { readRemoteTasks } from "./remote-tasks.ts";
import type { RemoteTasks } from "./remote-tasks.ts";

const USAGE = { exitCode: 2 };
const GITHUB = "https://api.github.com";

export async function readRepository(
  given: string,
  options: RepositoryOptions,
  command: Command,
): Promise<PlanInput> {
  const repo = nameFrom(given, command);
  const { project, label, all = false } = options;
  try {
    const board = createRemoteBoard(accessFrom(options, command));
    const read = await readRemoteTasks(board, { repo, project, label, all });
    if (read.ok) return inputFrom(read.value);
    return command.error(read.error.map((line) => `${repo}: ${line}`).join("\n"), USAGE);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return command.error(`error: ${error.message}`, USAGE);
  }
}

function accessFrom(options: RepositoryOptions, command: Command): RemoteAccess {
  const variables = readVariables();
  const apiUrl = options.apiUrl ?? variables["WAVETRAIN_API_URL"] ?? GITHUB;
  if (!/^https?:\/\//.test(apiUrl) || !URL.canParse(apiUrl)) {
    return command.error(`error: ${quote(apiUrl)} is not an http or https address`, USAGE);
  }
  const token = variables[options.tokenEnv]?.trim();
  if (!token) {
    const fix = "put a token that may read the repository in it, or name another with --token-env";
    return command.error(`error: ${options.tokenEnv} is not set: ${fix}`, USAGE);
  }
  return { apiUrl: apiUrl.replace(/\/+$/, ""), token };
}

function nameFrom(given: string, command: Command): RepoName {
  try {
    return repoName(given);
  } catch (error) {
    return command.error(`error: ${error instanceof Error ? error.message : given}`, USAGE);
  }
}

function inputFrom({ tasks, facts, holding, config }: RemoteTasks): PlanInput {
  return {
    tasks,
    facts,
    holding,
    claims: { barrier: config.barriers, shared: config.shared },
    defaults: { parallel: config.limits.parallel, schedule: config.schedule },
  };
}
