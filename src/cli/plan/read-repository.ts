import type { Command } from "commander";
import { createRemoteBoard } from "../../adapters/github/read-remote-board.ts";
import { readVariables } from "../../config/env.ts";
import { repoName } from "../../domain/ids.ts";
import type { RepoName } from "../../domain/ids.ts";
import { AppError } from "../../shared/app-error.ts";
import type { PlanInput, RepositoryOptions } from "./plan-input.ts";
import { readRemoteTasks } from "./remote-tasks.ts";
import type { RemoteTasks } from "./remote-tasks.ts";

const USAGE = { exitCode: 2 };
const FAILED = { exitCode: 1 };
const GITHUB = "https://api.github.com";

export async function readRepository(
  given: string,
  { project, label, tokenEnv }: RepositoryOptions,
  command: Command,
): Promise<PlanInput> {
  const repo = nameFrom(given, command);
  const variables = readVariables();
  const token = variables[tokenEnv];
  const apiUrl = variables["WAVETRAIN_API_URL"] ?? GITHUB;
  if (!URL.canParse(apiUrl)) return command.error("WAVETRAIN_API_URL is not an address", USAGE);
  if (token === undefined && label === undefined) {
    return command.error(`error: ${tokenEnv} is not set: a project needs a token`, USAGE);
  }
  try {
    const board = createRemoteBoard({ apiUrl, token });
    const read = await readRemoteTasks(board, { repo, project, label });
    return read.ok ? inputFrom(read.value) : command.error(read.error.join("\n"), USAGE);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return command.error(`error: ${error.message}`, FAILED);
  }
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
