import { Probot, Server } from "probot";
import type { Logger } from "pino";
import { octokitFor } from "./octokit-options.ts";

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly identity: {
    readonly appId: number;
    readonly privateKey: string;
    readonly webhookSecret: string;
  };
  readonly apiUrl: string;
  readonly log: Logger;
}

export interface CreatedServer {
  readonly server: Server;
  readonly probot: Probot;
}

/** Probot and its HTTP server, not listening yet. */
export async function createServer(options: ServerOptions): Promise<CreatedServer> {
  const { appId, privateKey, webhookSecret: secret } = options.identity;
  // Probot logs the headers of every request.
  const log = options.log.child({}, { redact: ["req.headers.authorization"] });
  const server = new Server({
    host: options.host,
    port: options.port,
    log,
    Probot: Probot.defaults({
      ...{ appId, privateKey, secret, log },
      baseUrl: options.apiUrl,
      Octokit: octokitFor(),
    }),
  });
  let loaded: Probot | undefined;
  await server.load((probot) => {
    loaded = probot;
  });
  if (loaded === undefined) throw new Error("Probot did not load the app");
  return { server, probot: loaded };
}
