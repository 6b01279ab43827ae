import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readAsideNotes } from "../../adapters/host/aside.ts";
import { createFiles } from "../../adapters/host/files.ts";
import { inspectFolder } from "../../adapters/host/inspect-folder.ts";
import { describeOddity } from "../../adapters/host/oddity.ts";
import { askVersion } from "../../adapters/process/probe.ts";
import { createSandbox } from "../../adapters/sandbox/create-sandbox.ts";
import { inspectStore } from "../../adapters/store/inspect-store.ts";
import type { OperatorConfig } from "../../config/schema/operator-config.ts";
import type { Status } from "../../control/get-status.ts";
import type { PlaceFacts } from "../../doctor/decide/decide-host.ts";
import type { RunnerFacts } from "../../doctor/decide/decide-runner.ts";
import type { Sandbox } from "../../ports/sandbox.ts";
import { PRESETS } from "../../runner/presets/presets.ts";
import { AppError } from "../../shared/app-error.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { findServer } from "../remote/find-server.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** A shell answers these words itself, or lets them stand before a program. */
const OF_THE_SHELL =
  /^(?:alias|cd|command|echo|eval|exec|exit|export|false|for|if|printf|read|set|test|time|trap|true|ulimit|umask|unset|until|while)$/;

/** Looks at everything that the operator's file names. */
export async function readPlace(
  operator: OperatorConfig,
  variables: Variables,
): Promise<PlaceFacts> {
  const { dataDir, minFreeDisk, store } = operator;
  const sandbox = await trySandbox(operator, variables);
  return {
    folder: await inspectFolder(dataDir),
    minFreeDisk,
    store: await inspectStore(
      store.url === undefined
        ? { path: join(dataDir, "store") }
        : { kind: "postgres", url: store.url },
    ),
    oddities: await readOddities(dataDir),
    sandbox,
    runners: await readRunners({ operator, variables, sandbox }),
  };
}

/** Looks at the runners alone, as `wavetrain try` does before it starts one. */
export async function readRunnersOf(
  operator: OperatorConfig,
  variables: Variables,
): Promise<readonly RunnerFacts[]> {
  return readRunners({ operator, variables, sandbox: await trySandbox(operator, variables) });
}

async function readRunners(surroundings: Surroundings): Promise<readonly RunnerFacts[]> {
  const names = Object.keys(surroundings.operator.runners);
  return Promise.all(names.map((name) => readRunner(name, surroundings)));
}

/** A running server knows more than its folder shows. */
async function readOddities(dataDir: string): Promise<readonly string[]> {
  const noted = (await readAsideNotes(dataDir)).map(describeOddity);
  const told = await askServer(dataDir).catch(() => []);
  return [...new Set([...noted, ...told])];
}

async function askServer(dataDir: string): Promise<readonly string[]> {
  const server = await findServer(dataDir);
  if (server === undefined) return [];
  return ((await (await server.ask("status")).json()) as Status).notices;
}

async function trySandbox(
  operator: OperatorConfig,
  environment: Variables,
): Promise<Result<Sandbox, string>> {
  try {
    const sandbox = await createSandbox({ operator, environment });
    if (sandbox.level !== "container") return ok(sandbox);
    const { program, image = "" } = operator.container;
    const env = { PATH: environment["PATH"] ?? "" };
    const found = await askVersion({ argv: [program, "image", "inspect", image], env });
    return found.ok ? ok(sandbox) : fail(`${program} has no image ${image}: ${found.error}`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return fail(error.message);
  }
}

interface Surroundings {
  readonly operator: OperatorConfig;
  readonly variables: Variables;
  readonly sandbox: Result<Sandbox, string>;
}

async function readRunner(name: string, surroundings: Surroundings): Promise<RunnerFacts> {
  const { operator, variables } = surroundings;
  const { preset, command = "", env = [], network = "open" } = operator.runners[name] ?? {};
  const known = preset === undefined ? undefined : PRESETS[preset];
  const program = known?.program ?? firstProgram(command);
  const unset = env.filter((variable) => isBlank(variables[variable]));
  const unsafe = operator.sandbox === "none" ? known?.needsSandbox : undefined;
  // Only known programs are asked for their version: nobody knows what another command line does with the question.
  const found = await findProgram(program, known !== undefined, surroundings);
  return { name, program, unset, unsafe, network, ...found };
}

function isBlank(value: string | undefined): boolean {
  return value === undefined || value.trim() === "";
}

async function findProgram(
  program: string | undefined,
  asks: boolean,
  { operator, variables, sandbox }: Surroundings,
): Promise<Pick<RunnerFacts, "path" | "version">> {
  if (program === undefined) return { path: undefined, version: undefined };
  // A container has programs of its own.
  if (operator.sandbox === "container") {
    return { path: `the image ${operator.container.image ?? ""}`, version: undefined };
  }
  const path = await createFiles(variables).findProgram(program);
  if (path === undefined || !asks || !sandbox.ok) return { path, version: undefined };
  return { path, version: await versionIn(sandbox.value, path, variables) };
}

/** Asks for the version inside the sandbox: a program that cannot start there cannot run either. */
async function versionIn(
  sandbox: Sandbox,
  program: string,
  variables: Variables,
): Promise<Result<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), "wavetrain-doctor-"));
  try {
    const env = { PATH: variables["PATH"] ?? "", HOME: folder };
    const view = { workspace: folder, home: folder, tmp: folder, readable: [], marker: folder };
    const argv = sandbox.wrap([program, "--version"], {
      ...view,
      variables: env,
      network: "open",
      gate: folder,
    });
    return await askVersion({ argv, env });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the program that a shell command begins with, or undefined when that cannot be told. */
export function firstProgram(command: string): string | undefined {
  const [, quoted, plain = ""] =
    /^\s*(?:"([^"$`\\]+)"|([\w./+-]+))(?=$|[\s;&|<>])/.exec(command) ?? [];
  const word = quoted ?? plain;
  // A relative path names a file of the workspace, which is not there yet.
  const isHere = word.startsWith("/") || /^\w[^/]*$/.test(word);
  return isHere && !OF_THE_SHELL.test(word) ? word : undefined;
}
