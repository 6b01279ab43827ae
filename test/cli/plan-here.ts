import { CommanderError } from "commander";
import { vi } from "vitest";
import { planCommand } from "../../src/cli/plan/plan-command.ts";

export interface Ending {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** `wavetrain plan` in this process. */
export async function planHere(...args: readonly string[]): Promise<Ending> {
  const said: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((line: string) => said.push(line));
  let err = "";
  const command = planCommand()
    .exitOverride()
    .configureOutput({ writeErr: (text) => (err += text) });
  try {
    await command.parseAsync(args, { from: "user" });
    return { code: 0, out: said.join("\n"), err };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { code: error.exitCode, out: said.join("\n"), err };
  } finally {
    log.mockRestore();
  }
}
