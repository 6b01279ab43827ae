import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import type { ConfigProblem } from "../read/config-problem.ts";
import { publishedSchema, readConfig } from "../read/read-config.ts";
import type { JsonSchema } from "../read/read-config.ts";
import { repoConfigSchema, wholeRepoConfigSchema } from "../schema/repo-config.ts";
import type { RepoConfig } from "../schema/repo-config.ts";

export const REPO_CONFIG_PATH = ".github/wavetrain.yml";

/** Reads the text of a repository's `.github/wavetrain.yml`. */
export function readRepoConfig(
  text: string,
  file: string = REPO_CONFIG_PATH,
): Result<RepoConfig, readonly ConfigProblem[]> {
  return readConfig({ schema: wholeRepoConfigSchema, described: repoJsonSchema }, { text, file });
}

/** Returns the settings of a repository that has no file. */
export function defaultRepoConfig(): RepoConfig {
  return repoConfigSchema.parse({});
}

/** Describes `.github/wavetrain.yml` to editors. */
export function repoJsonSchema(): JsonSchema {
  return publishedSchema(repoConfigSchema, "Wavetrain: settings of a repository");
}

/** Lays the operator's settings over the repository's. Each may be right and both together wrong, for example two roles in one column. */
export function mergeConfig(
  config: RepoConfig,
  fixed: Readonly<Record<string, unknown>>,
): Result<RepoConfig, string> {
  const { data, error } = wholeRepoConfigSchema.safeParse(layOver(config, fixed));
  if (error === undefined) return ok(data);
  return fail(error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; "));
}

function layOver(under: unknown, over: unknown): unknown {
  if (!isRecord(under) || !isRecord(over)) return over;
  const merged = new Map(Object.entries(under));
  for (const [key, value] of Object.entries(over)) merged.set(key, layOver(merged.get(key), value));
  return Object.fromEntries(merged);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
