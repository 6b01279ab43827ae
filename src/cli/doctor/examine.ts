import { askVersion } from "../../adapters/process/probe.ts";
import { readIdentity, readSettings } from "../../config/operator/env.ts";
import type { Identity, ServerSettings } from "../../config/operator/env.ts";
import { OPERATOR_CONFIG_PATH } from "../../config/operator/read-operator-config.ts";
import { exposedAppFile, readSavedApp } from "../../config/operator/saved-app.ts";
import type { OperatorConfig } from "../../config/schema/operator-config.ts";
import { decideHost } from "../../doctor/decide/decide-host.ts";
import type { HostFacts } from "../../doctor/decide/decide-host.ts";
import { reporterOf } from "../../doctor/decide/finding.ts";
import type { Section } from "../../doctor/decide/finding.ts";
import type { RepoName } from "../../domain/ids.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { readAppManifest } from "../text/package-file.ts";
import { readPlace } from "./host-questions.ts";
import { readOperatorFile } from "./read-operator-file.ts";

type Variables = Readonly<Record<string, string | undefined>>;

const DEFAULT_FOLDER = ".wavetrain";

export interface ExamineOptions {
  readonly config: string | undefined;
  readonly only: RepoName | undefined;
  readonly setup: boolean;
  readonly variables: Variables;
  readonly progress: (words: string) => void;
}

/** Looks at the whole set-up and yields each section as it is done. */
export async function* examine(options: ExamineOptions): AsyncGenerator<Section> {
  const { variables, progress } = options;
  progress("looking at this machine");
  const settings = readSettings(variables);
  const configFile = configFileOf(options, settings);
  const operator = settings.ok
    ? await readOperatorFile(configFile, settings.value)
    : fail(settings.error);
  const dataDir = operator.ok ? operator.value.dataDir : folderWithout(settings);
  const identity = await findIdentity(dataDir, variables);
  const host = await readHost({ configFile, operator, identity, variables });
  yield { title: "This machine", findings: decideHost(host) };
  if (!operator.ok || !identity.ok) {
    const what = operator.ok ? "the app's credentials" : configFile;
    const skipped = `the app and its repositories: once ${what} can be used`;
    yield { title: "GitHub App", findings: [reporterOf({ check: "github" }).skipped(skipped)] };
    return;
  }
  // This is loaded only when it is needed, because Probot takes its time.
  const { examineGitHub } = await import("./examine-github.ts");
  const wanted = await readAppManifest();
  const gitLfs = await askVersion({ argv: ["git-lfs", "version"], env: envOf(variables) });
  const known = { operator: operator.value, identity: identity.value, wanted, gitLfs };
  yield* examineGitHub({ ...options, ...known });
}

function envOf(variables: Variables): Readonly<Record<string, string>> {
  return { PATH: variables["PATH"] ?? "" };
}

function configFileOf(
  { config }: ExamineOptions,
  settings: Result<ServerSettings, unknown>,
): string {
  const named = settings.ok ? settings.value.configPath : undefined;
  return config ?? named ?? OPERATOR_CONFIG_PATH;
}

/** Finds the data folder when the operator's file cannot say where it is. */
function folderWithout(settings: Result<ServerSettings, unknown>): string {
  return (settings.ok ? settings.value.dataDir : undefined) ?? DEFAULT_FOLDER;
}

async function findIdentity(
  dataDir: string,
  variables: Variables,
): Promise<Result<Identity, readonly string[]>> {
  const saved = await readSavedApp(dataDir);
  if (!saved.ok) return fail([saved.error]);
  return readIdentity(variables, saved.value);
}

interface HostQuestion {
  readonly configFile: string;
  readonly operator: Result<OperatorConfig, readonly string[]>;
  readonly identity: Result<Identity, readonly string[]>;
  readonly variables: Variables;
}

async function readHost(question: HostQuestion): Promise<HostFacts> {
  const { configFile, operator, identity, variables } = question;
  return {
    node: process.versions.node,
    git: await askVersion({ argv: ["git", "--version"], env: envOf(variables) }),
    configFile,
    configProblems: operator.ok ? [] : operator.error,
    identity: identity.ok ? ok(await identityFacts(identity.value, question)) : identity,
    place: operator.ok ? await readPlace(operator.value, variables) : undefined,
  };
}

async function identityFacts({ appId }: Identity, { operator, variables }: HostQuestion) {
  const given = readIdentity(variables).ok;
  const exposed = operator.ok ? await exposedAppFile(operator.value.dataDir) : undefined;
  return { appId, source: given ? ("environment" as const) : ("file" as const), exposed };
}
