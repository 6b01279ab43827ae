import type { RepoConfig } from "./schema.ts";
import { repoConfigSchema } from "./schema.ts";

/** The repository's settings with the operator's laid over them; the result is validated as a whole. */
export function mergeConfig(
  config: RepoConfig,
  fixed: Readonly<Record<string, unknown>>,
): RepoConfig {
  return repoConfigSchema.parse(layOver(config, fixed));
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
