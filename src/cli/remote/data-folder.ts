import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { problemLine } from "../../config/config-problem.ts";
import type { Overrides } from "../../config/env.ts";
import { OPERATOR_CONFIG_PATH, readOperatorConfig } from "../../config/read-operator-config.ts";
import type { Result } from "../../shared/result.ts";
import { fail, ok } from "../../shared/result.ts";

export interface FolderOptions {
  readonly config?: string;
  readonly dataDir?: string;
}

const DEFAULT_FOLDER = ".wavetrain";
const NO_OVERRIDES: Overrides = {
  apiUrl: undefined,
  gitUrl: undefined,
  dataDir: undefined,
  host: undefined,
  port: undefined,
};

/** The folder of the server that is meant: named, or found as `wavetrain start` finds it. */
export async function findDataFolder(
  options: FolderOptions,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<Result<string, string>> {
  const named = options.dataDir ?? blankless(variables.WAVETRAIN_DATA_DIR);
  const folder = named === undefined ? await configuredFolder(options, variables) : ok(named);
  if (!folder.ok || (await exists(folder.value))) return folder;
  return fail(
    `${folder.value}: no such folder; name the server's with --data-dir, or its file with --config`,
  );
}

/** Whether a server ever kept its store in the folder itself. */
export function hasStore(folder: string): Promise<boolean> {
  return exists(join(folder, "store", "wavetrain.db"));
}

async function configuredFolder(
  { config }: FolderOptions,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<Result<string, string>> {
  const named = config ?? blankless(variables.WAVETRAIN_CONFIG);
  const file = named ?? OPERATOR_CONFIG_PATH;
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch {
    // A server without the file cannot be: only where nobody named one may it be missing here.
    return named === undefined ? ok(DEFAULT_FOLDER) : fail(`${file}: cannot be read`);
  }
  const operator = readOperatorConfig({ text, file }, NO_OVERRIDES);
  if (operator.ok) return ok(operator.value.dataDir);
  return fail(operator.error.map(problemLine).join("\n"));
}

function blankless(value: string | undefined): string | undefined {
  return value?.trim() === "" ? undefined : value;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
