import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { probeBubblewrap } from "../../adapters/sandbox-bubblewrap.ts";
import type { RunnerConfig } from "../../config/runner-schema.ts";
import type { OperatorConfig } from "../../config/schema.ts";
import { SAMPLE_AGENT } from "./sample-agent.ts";
import type { TryOptions } from "./try-options.ts";

interface Place {
  readonly folder: string;
  readonly dataDir: string;
}

type Sandboxing = Partial<
  Pick<OperatorConfig, "sandbox" | "pidNamespace" | "readable" | "container" | "network">
>;

/** Keys of the operator's configuration: who does the work, and in what sandbox. */
export async function runnerOf(
  { command, runner }: Pick<TryOptions, "command" | "runner">,
  place: Place,
): Promise<Sandboxing & { readonly runner: Partial<RunnerConfig> }> {
  // As if it had been typed: it may use files of its user that no sandbox would show.
  if (command !== undefined) return { runner: { command }, sandbox: "none", ...keptAsTyped() };
  if (runner === undefined) return sampleRunner(place);
  const sandboxing = runner.sandbox ?? { sandbox: await bestSandbox(place.dataDir, []) };
  // It is the only one here.
  return { runner: { ...runner.runner, fallback: [] }, ...sandboxing };
}

/** Root's namespace changes nothing that it may do; anybody else's would be a user namespace, in which `sudo` does not work. */
function keptAsTyped(): Sandboxing {
  return { pidNamespace: process.getuid?.() === 0 ? "auto" : "none" };
}

async function sampleRunner({ folder, dataDir }: Place) {
  const script = join(folder, "agent.mjs");
  await mkdir(folder, { recursive: true });
  await writeFile(script, SAMPLE_AGENT);
  const readable = [process.execPath, script];
  const command = `"${process.execPath}" "${script}"`;
  return { runner: { command }, readable, sandbox: await bestSandbox(dataDir, readable) };
}

/** A trial is played in the sandbox where there is one, and everywhere else without. */
async function bestSandbox(dataDir: string, readable: readonly string[]): Promise<"auto" | "none"> {
  const { ok } = await probeBubblewrap({ dataDir, readable, path: "" });
  return ok ? "auto" : "none";
}
