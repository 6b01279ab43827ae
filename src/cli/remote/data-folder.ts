import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { NO_OVERRIDES } from "../../config/operator/env.ts";
import {
  OPERATOR_CONFIG_PATH,
  readOperatorConfig,
} from "../../config/operator/read-operator-config.ts";
import { problemLine } from "../../config/read/config-problem.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";

export interface FolderOptions {
  readonly config?: string;
  readonly dataDir?: string;
}

/** It says where a server keeps its things. */
export interface ServerPlace {
  readonly dataDir: string;
  /** This is the address of the database that holds the store; undefined when the folder holds it. */
  readonly databaseUrl: string | undefined;
}

const DEFAULT_PLACE: ServerPlace = { dataDir: ".wavetrain", databaseUrl: undefined };

/** Finds the server that is meant: its folder is named, or found as `wavetrain start` finds it. */
export async function findPlace(
  options: FolderOptions,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<Result<ServerPlace, string>> {
  const dataDir = options.dataDir ?? blankless(variables.WAVETRAIN_DATA_DIR);
  const configured = await configuredPlace(options, variables);
  // A folder that is named needs no file beside it.
  const needless = dataDir !== undefined && options.config === undefined;
  const found = needless && !configured.ok ? ok(DEFAULT_PLACE) : configured;
  if (!found.ok) return found;
  const place: ServerPlace = {
    dataDir: dataDir ?? found.value.dataDir,
    databaseUrl: blankless(variables.DATABASE_URL) ?? found.value.databaseUrl,
  };
  if (await exists(place.dataDir)) return ok(place);
  return fail(
    `no server has run here: ${place.dataDir}: no such folder; name the server's with --data-dir, or its file with --config`,
  );
}

/** Says whether a server ever kept its store in the folder itself. */
export function hasStore(folder: string): Promise<boolean> {
  return exists(join(folder, "store", "wavetrain.db"));
}

async function configuredPlace(
  { config }: FolderOptions,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<Result<ServerPlace, string>> {
  const named = config ?? blankless(variables.WAVETRAIN_CONFIG);
  const file = named ?? OPERATOR_CONFIG_PATH;
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch {
    // No server runs without this file, so it may be missing only where nobody named one.
    return named === undefined ? ok(DEFAULT_PLACE) : fail(`${file}: cannot be read`);
  }
  const operator = readOperatorConfig({ text, file }, NO_OVERRIDES);
  if (operator.ok) {
    return ok({ dataDir: operator.value.dataDir, databaseUrl: operator.value.store.url });
  }
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
