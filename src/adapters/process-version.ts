import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Result } from "../shared/result.ts";
import { fail, ok } from "../shared/result.ts";

const run = promisify(execFile);
/** Agent programs take seconds to start on a busy machine. */
const PATIENCE_MS = 15_000;
const MOST_CHARACTERS = 80;

export interface VersionQuestion {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What a program says when it is asked for its version: the first line, or why there is none. */
export async function askVersion({ argv, env }: VersionQuestion): Promise<Result<string, string>> {
  const [program = "", ...args] = argv;
  try {
    const options = { timeout: PATIENCE_MS, killSignal: "SIGKILL", env } as const;
    const { stdout, stderr } = await run(program, args, options);
    return ok(firstLine(stdout) || firstLine(stderr) || "of an unknown version");
  } catch (error) {
    return fail(reasonOf(error));
  }
}

function firstLine(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return line.slice(0, MOST_CHARACTERS);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "it failed";
  if ("killed" in error && error.killed === true) return `no answer within ${PATIENCE_MS / 1000} s`;
  if ("code" in error && error.code === "ENOENT") return "it is not installed";
  const said = "stderr" in error ? firstLine(String(error.stderr)) : "";
  return said === "" ? "it failed without a word" : said;
}
