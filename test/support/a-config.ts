import { repoConfigSchema } from "../../src/config/schema/repo-config.ts";
import type { RepoConfig } from "../../src/config/schema/repo-config.ts";

/** A configuration as the repository's file would give it. */
export function aConfig(file: Readonly<Record<string, unknown>> = {}): RepoConfig {
  return repoConfigSchema.parse(file);
}
