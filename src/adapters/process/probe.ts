import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";

const run = promisify(execFile);
const PROBE_TIMEOUT_MS = 20_000;

/** Agent programs take seconds to start on a busy machine. */
const VERSION_TIMEOUT_MS = 15_000;
const MAX_VERSION_CHARACTERS = 80;

export type Probe =
  { readonly ok: true; readonly output: string } | { readonly ok: false; readonly reason: string };

export interface VersionQuestion {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Runs a short command to learn whether the host can do a thing. */
export async function probe(
  [program = "", ...args]: readonly string[],
  path = "/usr/bin:/bin",
): Promise<Probe> {
  try {
    const { stdout } = await run(program, args, { timeout: PROBE_TIMEOUT_MS, env: { PATH: path } });
    return { ok: true, output: stdout };
  } catch (error) {
    return { ok: false, reason: probeFailure(error, program) };
  }
}

/** Asks a program for its version. The answer is its first line, or the reason why there is none. */
export async function askVersion({ argv, env }: VersionQuestion): Promise<Result<string, string>> {
  const [program = "", ...args] = argv;
  try {
    const options = { timeout: VERSION_TIMEOUT_MS, killSignal: "SIGKILL", env } as const;
    const { stdout, stderr } = await run(program, args, options);
    return ok(firstLine(stdout) || firstLine(stderr) || "of an unknown version");
  } catch (error) {
    return fail(versionFailure(error));
  }
}

function probeFailure(error: unknown, program: string): string {
  if (!(error instanceof Error)) return "it failed";
  if ("code" in error && error.code === "ENOENT") return `${program} is not installed`;
  const said = "stderr" in error ? String(error.stderr).trim().split("\n").at(-1) : undefined;
  return said === undefined || said === "" ? "it failed without a word" : said;
}

function versionFailure(error: unknown): string {
  if (!(error instanceof Error)) return "it failed";
  if ("killed" in error && error.killed === true)
    return `no answer within ${VERSION_TIMEOUT_MS / 1000} s`;
  if ("code" in error && error.code === "ENOENT") return "it is not installed";
  const said = "stderr" in error ? firstLine(String(error.stderr)) : "";
  return said === "" ? "it failed without a word" : said;
}

function firstLine(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return line.slice(0, MAX_VERSION_CHARACTERS);
}
