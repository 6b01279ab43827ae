import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readAsideNotes } from "../../adapters/host/aside.ts";
import { createFiles } from "../../adapters/host/files.ts";
import { inspectFolder } from "../../adapters/host/inspect-folder.ts";
import { describeOddity } from "../../adapters/host/oddity.ts";
import { askVersion } from "../../adapters/process/probe.ts";
import { createSandbox } from "../../adapters/sandbox/create-sandbox.ts";
import { findInside } from "../../adapters/sandbox/find-inside.ts";
import { inspectStore } from "../../adapters/store/inspect-store.ts";
import type { OperatorConfig } from "../../config/schema/operator-config.ts";
import type { Status } from "../../control/get-status.ts";
import type { PlaceFacts } from "../../doctor/decide/decide-host.ts";
import type { RunnerFacts } from "../../doctor/decide/decide-runner.ts";
import type { Sandbox } from "../../ports/sandbox.ts";
import { firstProgram, namedFiles } from "../../runner/agent/named-programs.ts";
import { wordOutside } from "../../runner/agent/outside-program.ts";
import { missingKeys } from "../../runner/presets/needed-keys.ts";
import { PRESETS } from "../../runner/presets/presets.ts";
import { AppError } from "../../shared/app-error.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { findServer } from "../remote/find-server.ts";

type Variables = Readonly<Record<string, string | undefined>>;

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
  const keys = missingKeys({ ...operator.runners[name] }, variables);
  const outside = await lookInside(
    { program, isPreset: known !== undefined, command, ...found },
    surroundings,
  );
  return { name, program, unset, unsafe, network, keys, outside, ...found };
}

/** Tries the program where a run would start it: what is there for the server may not be there for an agent. */
async function lookInside(
  { program: named, isPreset, command, path }: Command,
  { operator, variables, sandbox }: Surroundings,
): Promise<RunnerFacts["outside"]> {
  if (named === undefined || !sandbox.ok || path === undefined) return undefined;
  const { level } = sandbox.value;
  // A preset is started by the path that the server found, unless it is in a container.
  const program = isPreset && level !== "container" ? path : named;
  const question = { program, files: namedFiles(command) };
  const found = await findInside(question, sandbox.value, variables);
  return wordOutside({ program, path, level, image: operator.container.image, found });
}

interface Command extends Pick<RunnerFacts, "program" | "path"> {
  readonly isPreset: boolean;
  readonly command: string;
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
