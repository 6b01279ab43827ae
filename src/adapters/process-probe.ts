import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);
const PATIENCE_MS = 20_000;

export type Probe =
  { readonly ok: true; readonly output: string } | { readonly ok: false; readonly reason: string };

/** Runs a short command to learn whether the host can do a thing. */
export async function probe(
  [program = "", ...args]: readonly string[],
  path = "/usr/bin:/bin",
): Promise<Probe> {
  try {
    const { stdout } = await run(program, args, { timeout: PATIENCE_MS, env: { PATH: path } });
    return { ok: true, output: stdout };
  } catch (error) {
    return { ok: false, reason: reasonOf(error, program) };
  }
}

function reasonOf(error: unknown, program: string): string {
  if (!(error instanceof Error)) return "it failed";
  if ("code" in error && error.code === "ENOENT") return `${program} is not installed`;
  const said = "stderr" in error ? String(error.stderr).trim().split("\n").at(-1) : undefined;
  return said === undefined || said === "" ? "it failed without a word" : said;
}
