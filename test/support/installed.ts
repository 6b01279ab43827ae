import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { probeBubblewrap } from "../../src/adapters/sandbox-bubblewrap.ts";

const TOOLS = new URL("../../.tools/node_modules/.bin", import.meta.url).pathname;

/** The PATH on which codex is, where `.ci/run` puts it or the machine has it; undefined, and said aloud, where it is not. */
export function pathWithCodex(): string | undefined {
  const path = `${TOOLS}${delimiter}${process.env.PATH ?? ""}`;
  if (path.split(delimiter).some((folder) => existsSync(join(folder, "codex")))) return path;
  say("codex is not installed; npm install --prefix .tools @openai/codex@0.166.0");
  return undefined;
}

/** Whether bubblewrap works on this machine; said aloud where it does not. */
export async function bubblewrapWorks(): Promise<boolean> {
  const probed = await probeBubblewrap({ dataDir: "/tmp/wavetrain-probe", readable: [], path: "" });
  if (!probed.ok) say(`bubblewrap does not work here: ${probed.error}`);
  return probed.ok;
}

function say(reason: string): void {
  process.stderr.write(`SKIPPED: ${reason}\n`);
}
