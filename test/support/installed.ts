import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { probeBubblewrap } from "../../src/adapters/sandbox/bubblewrap.ts";
import { probePidNamespace, type PidNamespace } from "../../src/adapters/sandbox/pid-namespace.ts";

const TOOLS = new URL("../../.tools/node_modules/.bin", import.meta.url).pathname;

/** The PATH on which codex is, where `.ci/run` puts it or the machine has it; undefined, and said aloud, where it is not. */
export function pathWithCodex(): string | undefined {
  const path = `${TOOLS}${delimiter}${process.env.PATH ?? ""}`;
  if (path.split(delimiter).some((folder) => existsSync(join(folder, "codex")))) return path;
  skip("codex", "not installed; npm install --prefix .tools @openai/codex@0.166.0");
  return undefined;
}

/** Whether bubblewrap works on this machine; said aloud where it does not. */
export async function bubblewrapWorks(): Promise<boolean> {
  const probed = await probeBubblewrap({ dataDir: "/tmp/wavetrain-probe", readable: [], path: "" });
  if (!probed.ok) skip("bubblewrap", probed.error);
  return probed.ok;
}

/** A PID namespace of this machine; undefined, and said aloud, where it gives none. */
export async function pidNamespace(): Promise<PidNamespace | undefined> {
  const probed = await probePidNamespace(process.env.PATH ?? "");
  if (!probed.ok) skip("pid namespaces", probed.error);
  return probed.ok ? probed.value : undefined;
}

/** Says it aloud. Where `.ci/run` has installed the tool (INSTALLED names what it has) nothing may be skipped for want of it. */
export function skip(tool: string, reason: string): void {
  const installed = (process.env.INSTALLED ?? "").split(" ");
  if (installed.includes(tool))
    throw new Error(`${tool} was installed and does not work: ${reason}`);
  process.stderr.write(`SKIPPED for want of ${tool}: ${reason}\n`);
}
