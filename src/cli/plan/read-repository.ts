import type { Command } from "commander";
import { createRemoteBoard } from "../../adapters/github/read-remote-board.ts";
import { AppError } from "../../shared/app-error.ts";
import { remoteAccess, repoNamed } from "../remote-access.ts";
import type { PlanInput, RepositoryOptions } from "./plan-input.ts";
import { readRemoteTasks } from "./remote-tasks.ts";
import type { RemoteTasks } from "./remote-tasks.ts";

const USAGE = { exitCode: 2 };

export async function readRepository(
  given: string,
  options: RepositoryOptions,
  command: Command,
): Promise<PlanInput> {
  const repo = repoNamed(given, command);
  const { project, label, all = false } = options;
  try {
    const board = createRemoteBoard(remoteAccess(options, command));
    const read = await readRemoteTasks(board, { repo, project, label, all });
    if (read.ok) return inputFrom(read.value);
    return command.error(read.error.map((line) => `${repo}: ${line}`).join("\n"), USAGE);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return command.error(`error: ${error.message}`, USAGE);
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
