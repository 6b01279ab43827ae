import { fail, ok } from "../shared/result.ts";
import type { Result } from "../shared/result.ts";
import type { RepoConfig } from "./schema.ts";
import { repoConfigSchema } from "./schema.ts";

/** The repository's settings with the operator's laid over them; each may be right and both together wrong, e.g. two roles in one column. */
export function mergeConfig(
  config: RepoConfig,
  fixed: Readonly<Record<string, unknown>>,
): Result<RepoConfig, string> {
  const { data, error } = repoConfigSchema.safeParse(layOver(config, fixed));
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
