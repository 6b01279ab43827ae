import type { Result } from "../shared/result.ts";
import type { ConfigProblem } from "./config-problem.ts";
import { repoJsonSchema } from "./json-schema.ts";
import { readConfig } from "./read-config.ts";
import type { RepoConfig } from "./schema.ts";
import { repoConfigSchema } from "./schema.ts";

export const REPO_CONFIG_PATH = ".github/wavetrain.yml";

/** Reads the text of a repository's `.github/wavetrain.yml`. */
export function readRepoConfig(
  text: string,
  file: string = REPO_CONFIG_PATH,
): Result<RepoConfig, readonly ConfigProblem[]> {
  return readConfig({ schema: repoConfigSchema, described: repoJsonSchema }, { text, file });
}

/** The settings of a repository without the file. */
export function defaultRepoConfig(): RepoConfig {
  return repoConfigSchema.parse({});
}
