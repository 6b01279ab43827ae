import { Probot } from "probot";
import type { Logger } from "pino";
import { octokitFor } from "./octokit-options.ts";

export interface ProbotOptions {
  readonly identity: {
    readonly appId: number;
    readonly privateKey: string;
    readonly webhookSecret: string;
  };
  readonly apiUrl: string;
  readonly log: Logger;
}

/** Probot knows the app's identity and hands deliveries on; the port is ours. */
export async function createProbot({ identity, apiUrl, log }: ProbotOptions): Promise<Probot> {
  const { appId, privateKey, webhookSecret: secret } = identity;
  const options = { appId, privateKey, secret, log, baseUrl: apiUrl, Octokit: octokitFor() };
  const probot = new Probot(options);
  await probot.ready();
  return probot;
}
