import { access } from "node:fs/promises";
import type { ServerSettings } from "../../config/env.ts";
import { OPERATOR_CONFIG_PATH } from "../../config/read-operator-config.ts";
import type { Result } from "../../shared/result.ts";
import { fail, ok } from "../../shared/result.ts";
import { readOperatorFile } from "../doctor/read-operator-file.ts";

/** Where the app is made and kept. */
export interface SetupPlace {
  readonly dataDir: string;
  readonly apiUrl: string;
  /** GitHub's web pages. */
  readonly site: string;
  readonly port: number;
}

const DEFAULTS = {
  dataDir: ".wavetrain",
  apiUrl: "https://api.github.com",
  site: "https://github.com",
  port: 3000,
};

/** As the server finds it; the operator's file need not be there yet. */
export async function readSetupPlace(
  options: { readonly config?: string; readonly port?: string },
  settings: ServerSettings,
): Promise<Result<SetupPlace, string>> {
  const file = options.config ?? settings.configPath ?? OPERATOR_CONFIG_PATH;
  const chosen = options.port === undefined ? {} : { port: Number(options.port) };
  if (options.config === undefined && !(await exists(file))) {
    return ok({ ...DEFAULTS, ...given(settings), ...chosen });
  }
  const read = await readOperatorFile(file, settings);
  if (!read.ok) return fail(read.error.join("\n"));
  const { dataDir, github, server } = read.value;
  const place = { dataDir, apiUrl: github.apiUrl, site: github.gitUrl, port: server.port };
  return ok({ ...place, ...chosen });
}

function given({ dataDir, apiUrl, gitUrl: site, port }: ServerSettings): Partial<SetupPlace> {
  const wanted = Object.entries({ dataDir, apiUrl, site, port });
  return Object.fromEntries(wanted.filter(([, value]) => value !== undefined));
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
