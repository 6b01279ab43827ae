import type { Result } from "../shared/result.ts";
import { ok } from "../shared/result.ts";
import type { ConfigProblem } from "./config-problem.ts";
import type { Overrides } from "./env.ts";
import { operatorJsonSchema } from "./json-schema.ts";
import type { ConfigText } from "./read-config.ts";
import { readConfig } from "./read-config.ts";
import type { OperatorConfig } from "./schema.ts";
import { operatorConfigSchema } from "./schema.ts";

export const OPERATOR_CONFIG_PATH = "wavetrain.config.yml";

/** Reads the text of the operator's file; what the environment says counts more. */
export function readOperatorConfig(
  source: ConfigText,
  overrides: Overrides,
): Result<OperatorConfig, readonly ConfigProblem[]> {
  const kind = { schema: operatorConfigSchema, described: operatorJsonSchema };
  const read = readConfig(kind, source);
  return read.ok ? ok(withOverrides(read.value, overrides)) : read;
}

function withOverrides(config: OperatorConfig, overrides: Overrides): OperatorConfig {
  return {
    ...config,
    dataDir: overrides.dataDir ?? config.dataDir,
    store: { ...config.store, url: overrides.databaseUrl ?? config.store.url },
    server: {
      ...config.server,
      host: overrides.host ?? config.server.host,
      port: overrides.port ?? config.server.port,
    },
    github: {
      ...config.github,
      apiUrl: overrides.apiUrl ?? config.github.apiUrl,
      gitUrl: overrides.gitUrl ?? config.github.gitUrl,
    },
  };
}
