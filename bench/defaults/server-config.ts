import { fileURLToPath } from "node:url";
import { stringify } from "yaml";
import { differencesFromDefaults } from "../../src/config/repository/differences.ts";
import type { Difference, Reasons } from "../../src/config/repository/differences.ts";
import { operatorConfigSchema } from "../../src/config/schema/operator-config.ts";
import type { Scene } from "./scene.ts";

const AGENT = fileURLToPath(new URL("agent.sh", import.meta.url));

const REASONS: Reasons = {
  sandbox: "the agents keep a journal in a folder of the bench",
  "github.pacing": "GitHub's 500 content writes an hour would make so many cards last for a day",
};

export interface Surroundings {
  readonly dataDir: string;
  readonly journal: string;
  readonly port: number;
  readonly githubUrl: string;
  readonly repositories: readonly string[];
}

export interface ServerConfig {
  /** Of `wavetrain.config.yml`. */
  readonly text: string;
  readonly differences: readonly Difference[];
}

/** The defaults, but for what a server has to be told. */
export function serverConfig(
  { slots, agentMs, unlimited }: Scene,
  { dataDir, journal, port, githubUrl, repositories }: Surroundings,
): ServerConfig {
  const command = `sh "${AGENT}" "${journal}" ${agentMs / 1000}`;
  const repository = { verify: "test -d src", limits: { parallel: slots }, board: { project: 1 } };
  const pacing = unlimited ? { pacing: "off" } : {};
  const file = {
    dataDir,
    server: { port },
    github: { apiUrl: githubUrl, gitUrl: githubUrl, ...pacing },
    runners: { agent: { command, slots } },
    sandbox: "none",
    slots,
    repositories: Object.fromEntries(repositories.map((name) => [name, repository])),
  };
  const parsed = operatorConfigSchema.parse(file);
  return { text: stringify(file), differences: differencesFromDefaults(parsed, REASONS) };
}
