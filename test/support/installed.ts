import { existsSync, realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import { probeBubblewrap } from "../../src/adapters/sandbox/bubblewrap.ts";
import { probePidNamespace, type PidNamespace } from "../../src/adapters/sandbox/pid-namespace.ts";

const FOLDER = new URL("../../.tools/node_modules/.bin", import.meta.url).pathname;
/** The folder may be behind a link, and its own links lead to where it really is. */
const TOOLS = existsSync(FOLDER) ? realpathSync(FOLDER) : FOLDER;

/** The agent programs that `.ci/run` installs, and the packages that they are in. */
export const AGENT_PACKAGES = {
  codex: "@openai/codex@0.166.0",
  claude: "@anthropic-ai/claude-code@2.1.197",
  opencode: "opencode-ai@1.18.33",
  gemini: "@google/gemini-cli@0.61.0",
} as const;

export type AgentProgram = keyof typeof AGENT_PACKAGES;

/** The PATH on which the agent program is, where `.ci/run` puts it or the machine has it; undefined, and said aloud, where it is not. */
export function pathWith(program: AgentProgram): string | undefined {
  const path = `${TOOLS}${delimiter}${process.env.PATH ?? ""}`;
  if (path.split(delimiter).some((folder) => existsSync(join(folder, program)))) return path;
  skip(program, `not installed; npm install --prefix .tools ${AGENT_PACKAGES[program]}`);
  return undefined;
}

export function pathWithCodex(): string | undefined {
  return pathWith("codex");
}

/** Whether the machine has a program that `.ci/run` installs from Debian's packages; said aloud where it has not. */
export function hasProgram(name: string): boolean {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const isThere = folders.some((folder) => existsSync(join(folder, name)));
  if (!isThere) skip(name, `not installed; apt-get install ${name}`);
  return isThere;
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
