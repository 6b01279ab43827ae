import { readFile } from "node:fs/promises";
import { Command } from "commander";
import { pino } from "pino";
import type { RunningApp } from "../../app.ts";
import { problemLine } from "../../config/config-problem.ts";
import { readEnvironment, readVariables } from "../../config/env.ts";
import type { Environment } from "../../config/env.ts";
import { OPERATOR_CONFIG_PATH, readOperatorConfig } from "../../config/read-operator-config.ts";
import type { OperatorConfig } from "../../config/schema.ts";
import { AppError } from "../../shared/app-error.ts";

const UNUSABLE = { exitCode: 2 };
const FAILED = { exitCode: 1 };

const HELP = `
Reads wavetrain.config.yml (or --config FILE) and the environment:
  APP_ID            number of the GitHub App
  PRIVATE_KEY       its key: PEM text, base64 of it, or the path of the file
  WEBHOOK_SECRET    the secret that GitHub signs webhooks with
  HOST, PORT        where webhooks are received
  LOG_LEVEL         info by default

Stops on SIGTERM or SIGINT: runs under way go back to the queue. A second signal stops at once.`;

export function startCommand(): Command {
  return new Command("start")
    .description("run the app: webhooks, planning, runners and the merge train")
    .option("--config <file>", "operator's file", OPERATOR_CONFIG_PATH)
    .addHelpText("after", HELP)
    .action(async (options: { readonly config: string }, command: Command) => {
      const environment = readEnvironment();
      if (!environment.ok) return command.error(lines(environment.error), UNUSABLE);
      const path = environment.value.configPath ?? options.config;
      const operator = await readOperator(path, environment.value, command);
      await serve(operator, environment.value, command);
    });
}

async function readOperator(
  file: string,
  environment: Environment,
  command: Command,
): Promise<OperatorConfig> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch {
    // Missing or unreadable: what the operator does next is the same.
    return command.error(`error: ${file}: cannot be read; name your runners in it`, UNUSABLE);
  }
  const operator = readOperatorConfig({ text, file }, environment);
  if (!operator.ok) return command.error(lines(operator.error.map(problemLine)), UNUSABLE);
  return operator.value;
}

function lines(problems: readonly string[]): string {
  return problems.map((problem) => `error: ${problem}`).join("\n");
}

async function serve(
  operator: OperatorConfig,
  environment: Environment,
  command: Command,
): Promise<void> {
  const log = pino({ level: environment.logLevel });
  // Loaded when it is needed: the other commands start in a third of the time without it.
  const { startApp } = await import("../../app.ts");
  try {
    const app = await startApp({
      operator,
      identity: environment,
      environment: readVariables(),
      log,
    });
    await untilSignal();
    await stopGently(app);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    command.error(`error: ${error.message}`, FAILED);
  }
}

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGTERM", () => resolve());
    process.once("SIGINT", () => resolve());
  });
}

/** Whatever is half done is repaired at the next start, so an impatient second signal is safe. */
async function stopGently(app: RunningApp): Promise<void> {
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => process.exit(1));
  await app.stop();
}
