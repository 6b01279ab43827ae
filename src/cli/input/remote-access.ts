import type { Command } from "commander";
import type { RemoteAccess } from "../../adapters/github/connection/remote-client.ts";
import { enterpriseApi, readVariables } from "../../config/operator/env.ts";
import { repoName } from "../../domain/ids.ts";
import type { RepoName } from "../../domain/ids.ts";
import { quote } from "../../shared/quote.ts";

const USAGE = { exitCode: 2 };
const GITHUB = "https://api.github.com";

export interface AccessOptions {
  readonly apiUrl?: string;
  readonly tokenEnv: string;
}

/** Finds out from the options and the environment which GitHub to ask with which token; ends the command where they do not say. */
export function remoteAccess(options: AccessOptions, command: Command): RemoteAccess {
  const variables = readVariables();
  const configured = variables["WAVETRAIN_API_URL"] ?? enterpriseApi(variables);
  const apiUrl = options.apiUrl ?? configured ?? GITHUB;
  if (!/^https?:\/\//.test(apiUrl) || !URL.canParse(apiUrl)) {
    return command.error(`error: ${quote(apiUrl)} is not an http or https address`, USAGE);
  }
  const token = variables[options.tokenEnv]?.trim() || fallbackToken(options, variables);
  if (!token) {
    const fix = "put a token that may read the repository in it, or name another with --token-env";
    return command.error(`error: ${options.tokenEnv} is not set: ${fix}`, USAGE);
  }
  return { apiUrl: apiUrl.replace(/\/+$/, ""), token };
}

/** Where nobody named a variable, the one that GitHub's own command line reads will do. */
function fallbackToken(
  { tokenEnv }: AccessOptions,
  variables: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return tokenEnv === "GITHUB_TOKEN" ? variables["GH_TOKEN"]?.trim() : undefined;
}

export function repoNamed(given: string, command: Command): RepoName {
  try {
    return repoName(given);
  } catch (error) {
    return command.error(`error: ${error instanceof Error ? error.message : given}`, USAGE);
  }
}
