import { ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import type { ConfigProblem } from "../read/config-problem.ts";
import { publishedSchema, readConfig } from "../read/read-config.ts";
import type { JsonSchema, ConfigText } from "../read/read-config.ts";
import { operatorConfigSchema } from "../schema/operator-config.ts";
import type { OperatorConfig } from "../schema/operator-config.ts";
import type { Overrides } from "./env.ts";

export const OPERATOR_CONFIG_PATH = "wavetrain.config.yml";

/** Reads the text of the operator's file; the environment's settings count more. */
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
      apiUrl: withoutEnd(overrides.apiUrl ?? config.github.apiUrl),
      gitUrl: withoutEnd(overrides.gitUrl ?? config.github.gitUrl),
    },
  };
}

/** Paths are put behind an address, and GraphQL's is found by how it ends. */
function withoutEnd(address: string): string {
  return address.replace(/\/+$/, "");
}

/** Describes the operator's file to editors. */
export function operatorJsonSchema(): JsonSchema {
  return publishedSchema(operatorConfigSchema, "Wavetrain: settings of the operator");
}
