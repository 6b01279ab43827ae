import type { Command } from "commander";
import { AppError } from "../../shared/app-error.ts";

const UNUSABLE = { exitCode: 2 };

/** Ends the command with a sentence where the world failed it; a bug is thrown on. */
export function failCommand(
  error: unknown,
  { port }: { readonly port: number },
  command: Command,
): never {
  const problem = portProblem(error);
  if (problem !== undefined) return command.error(`error: port ${port} ${problem}`, UNUSABLE);
  if (error instanceof AppError) return command.error(`error: ${error.message}`, { exitCode: 1 });
  throw error;
}

function portProblem(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return "is in use";
  return code === "EACCES" ? "may not be used by you" : undefined;
}
