import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Log } from "../ports/log.ts";
import { AppError } from "../shared/app-error.ts";

/** A handler returns true when it answered; false leaves the request to the next. */
export type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
) => boolean | Promise<boolean>;

export interface DoorOptions {
  readonly host: string;
  /** 0 takes any port that is free. */
  readonly port: number;
  readonly log: Log;
  /** A client may take this long to send its request. */
  readonly longestRequestMs?: number;
  /** They are asked in this order. */
  readonly handlers: readonly Handler[];
}

/** This is the only port that the app listens on. */
export interface Door {
  readonly host: string;
  readonly port: number;
  close(): Promise<void>;
}

/** GitHub gives a delivery up after ten seconds, so a client that takes longer than this to send its request is cut off. */
const REQUEST_TIMEOUT_MS = 15_000;
const CHECK_EVERY_MS = 1_000;
/** A client that is slow to take its answer holds up a stop no longer than this. */
const CLOSE_TIMEOUT_MS = 2_000;

export async function openDoor(options: DoorOptions): Promise<Door> {
  const { host, port, log, handlers, longestRequestMs = REQUEST_TIMEOUT_MS } = options;
  const limits = {
    headersTimeout: longestRequestMs,
    requestTimeout: longestRequestMs,
    connectionsCheckingInterval: CHECK_EVERY_MS,
  };
  const server = createServer(limits, (request, response) => {
    void answer({ request, response }, { handlers, log });
  });
  await listen(server, { host, port });
  const { port: given } = server.address() as AddressInfo;
  return { host, port: given, close: () => close(server) };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function answer(
  { request, response }: Exchange,
  { handlers, log }: Pick<DoorOptions, "handlers" | "log">,
): Promise<void> {
  const { method, url } = request;
  response.on("finish", () => log.debug({ method, url, status: response.statusCode }, "answered"));
  try {
    for (const handler of handlers) if (await handler(request, response)) return;
    response.writeHead(404).end();
  } catch (err) {
    log.error({ err, method, url }, "request failed");
    // Half of an answer cannot be taken back: the asker has to see that it is cut.
    if (response.headersSent) response.destroy();
    else response.writeHead(500).end();
  }
}

function listen(server: Server, { host, port }: Pick<DoorOptions, "host" | "port">): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EADDRINUSE") reject(error);
      else reject(new AppError("port-taken", `port ${port} of ${host} is already in use`));
    });
    server.listen({ host, port }, resolve);
  });
}

/** Answers the requests under way and cuts connections that are only kept open. */
async function close(server: Server): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT_MS);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(cut);
}

/** Answers `GET /ping`, by which others learn whether the app answers at all. */
export function answerPing({ method, url }: IncomingMessage, response: ServerResponse): boolean {
  if (method !== "GET" || url?.split("?", 1)[0] !== "/ping") return false;
  response.writeHead(200, { "content-type": "text/plain" }).end("PONG");
  return true;
}
