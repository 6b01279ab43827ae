import type { Logger } from "pino";
import { Probot, ProbotOctokit } from "probot";
import { withApiVersion } from "./api-version.ts";
import type { Authentication } from "./connection.ts";
import { ANSWER_TIMEOUT_MS, withTimeout } from "./request-timeout.ts";

export interface ProbotOptions {
  readonly identity: {
    readonly appId: number;
    readonly privateKey: string;
    readonly webhookSecret: string;
  };
  readonly apiUrl: string;
  readonly log: Logger;
}

export interface AppAccess {
  readonly appId: number;
  readonly privateKey: string;
  readonly apiUrl: string;
  readonly log: Logger;
}

/** Creates a Probot that knows the app's identity and hands deliveries on. It opens no port of its own. */
export async function createProbot({ identity, apiUrl, log }: ProbotOptions): Promise<Probot> {
  const { appId, privateKey, webhookSecret: secret } = identity;
  const options = { appId, privateKey, secret, log, baseUrl: apiUrl, Octokit: octokitFor() };
  const probot = new Probot(options);
  await probot.ready();
  return probot;
}

/** Creates the app's clients without a server, for the command line. */
export function createAuthentication({
  appId,
  privateKey,
  apiUrl,
  log,
}: AppAccess): Authentication {
  const probot = new Probot({
    appId,
    privateKey,
    log,
    // Nothing is received here. Without a secret Probot would use a well-known default.
    secret: "unused",
    baseUrl: apiUrl,
    Octokit: octokitFor(),
  });
  return { asApp: () => probot.auth(), asInstallation: (id) => probot.auth(id) };
}

/**
 * Returns Probot's octokit without its own retries and throttling. A repeated write could happen twice, and the next tick tries again
 * anyway. `api-budgets.ts` decides when a request may go. The function form of `defaults` is needed, because the object form is
 * ignored for these plugins.
 */
export function octokitFor(answerWithinMs = ANSWER_TIMEOUT_MS): typeof ProbotOctokit {
  const Octokit = ProbotOctokit.defaults((options: Record<string, unknown>) => ({
    ...options,
    retry: { enabled: false },
    throttle: { enabled: false },
  }));
  return Octokit.plugin((octokit) => {
    withTimeout(octokit, answerWithinMs);
    withApiVersion(octokit);
  });
}
