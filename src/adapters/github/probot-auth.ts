import { Probot } from "probot";
import type { Logger } from "pino";
import type { Authentication } from "./connection.ts";
import { octokitFor } from "./octokit-options.ts";

export interface AppAccess {
  readonly appId: number;
  readonly privateKey: string;
  readonly apiUrl: string;
  readonly log: Logger;
}

/** The app's clients without a server: for a look from the command line. */
export function createAuthentication({
  appId,
  privateKey,
  apiUrl,
  log,
}: AppAccess): Authentication {
  const probot = new Probot({
    ...{ appId, privateKey, log },
    // Nothing is received here; without one Probot would take a well-known word.
    secret: "unused",
    baseUrl: apiUrl,
    Octokit: octokitFor(),
  });
  return { asApp: () => probot.auth(), asInstallation: (id) => probot.auth(id) };
}
