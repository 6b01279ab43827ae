import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommanderError } from "commander";
import { onTestFinished } from "vitest";
import { planCommand } from "../../../src/cli/plan/plan-command.ts";

export interface Ending {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The command as `wavetrain plan` runs it, in this process. */
export async function runPlan(args: readonly string[]): Promise<Ending> {
  let out = "";
  let err = "";
  const command = planCommand()
    .exitOverride()
    .configureOutput({ writeOut: (text) => (out += text), writeErr: (text) => (err += text) });
  try {
    await command.parseAsync(args, { from: "user" });
    return { code: 0, out, err };
  } catch (error) {
    if (error instanceof CommanderError) return { code: error.exitCode, out, err };
    throw error;
  }
}

/** The path of a task file with this content, gone after the test. */
export async function taskFile(content: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "wavetrain-plan-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "tasks.yml");
  await writeFile(path, content);
  return path;
}
