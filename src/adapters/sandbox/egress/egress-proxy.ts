import { createServer, request as askFor } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import type { Duplex } from "node:stream";
import { readTarget } from "../../../domain/network/decide-passage.ts";
import type { Target } from "../../../domain/network/decide-passage.ts";
import { REFUSAL } from "../../../domain/network/network.ts";
import { dial } from "./dial.ts";
import type { Dialled, Surroundings } from "./dial.ts";

/** One run needs a few dozen. */
const MAX_CONNECTIONS = 256;
const HEADERS_MS = 15_000;
const LINGER_MS = 1_000;
const HTTP_PORT = 80;

/** This is the limit for one command: an agent that tries ever new names must not fill the log. */
const MAX_REFUSAL_LINES = 100;
const MAX_NAME_CHARACTERS = 100;
/** These headers are between two machines, and not for those behind them. */
const HOP_BY_HOP = [
  "connection",
  "proxy-connection",
  "keep-alive",
  "te",
  "trailer",
  "upgrade",
  "proxy-authorization",
  "proxy-authenticate",
  "proxy-authentication-info",
];

const WORDS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  403: "Forbidden",
  502: "Bad Gateway",
};

export interface EgressOptions extends Surroundings {
  /** This is called for everything that was refused. */
  readonly refused: (what: string, reason: string) => void;
}

/** Makes an HTTP proxy for one run. It serves tunnels (CONNECT) and plain requests, but only to named hosts. */
export function createEgressProxy(options: EgressOptions): Server {
  const server = createServer(
    // A body may take as long as it likes, even after the answer is known, but headers may not.
    { headersTimeout: HEADERS_MS, requestTimeout: 0, connectionsCheckingInterval: 1_000 },
    (request, response) => {
      forward(request, response, options).catch(() => response.destroy());
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.on("connect", (request: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on("error", () => client.destroy());
    tunnel({ request, client, head }, options).catch(() => client.destroy());
  });
  // Without a listener a malformed request would end the process.
  server.on("clientError", (_, client) => {
    answer(client, 400, "this is no request");
  });
  return server;
}

/** Writes one line for each refusal the first time it happens. */
export function createRefusals(write: (line: string) => void): (what: string, why: string) => void {
  const told = new Set<string>();
  return (what, why) => {
    if (told.size > MAX_REFUSAL_LINES) return;
    // The one who asked chose these words, so they must not be able to imitate another line of the log.
    const name = what.replaceAll(/[^\x21-\x7e]+/g, "?").slice(0, MAX_NAME_CHARACTERS);
    const line = `${REFUSAL} refused ${name}: ${why.slice(0, MAX_NAME_CHARACTERS * 2)}`;
    if (told.has(line)) return;
    told.add(line);
    write(told.size > MAX_REFUSAL_LINES ? `${REFUSAL} what else is refused is not listed` : line);
  };
}

interface Call {
  readonly request: IncomingMessage;
  readonly client: Duplex;
  readonly head: Buffer;
}

async function tunnel({ request, client, head }: Call, options: EgressOptions): Promise<void> {
  const text = request.url ?? "";
  const reached = await reach(text, readTarget(text), options);
  if (reached.kind !== "connected") {
    answer(client, reached.status, reached.reason);
    return;
  }
  const { socket } = reached;
  client.write("HTTP/1.1 200 Connection established\r\n\r\n");
  socket.write(head);
  const ended = (): void => undefined;
  pipeline(client, socket, ended);
  pipeline(socket, client, ended);
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  options: EgressOptions,
): Promise<void> {
  const [, authority = "", path = ""] = /^http:\/\/([^/?#]*)(.*)$/is.exec(request.url ?? "") ?? [];
  const what = authority === "" ? (request.url ?? "") : authority;
  const reached = await reach(what, readTarget(authority, HTTP_PORT), options);
  if (reached.kind !== "connected") {
    const words = `${reached.reason}\n`;
    const headers = { "content-type": "text/plain", "content-length": Buffer.byteLength(words) };
    response.writeHead(reached.status, { ...headers, connection: "close" }).end(words);
    return;
  }
  const { socket } = reached;
  const onward = askFor({
    createConnection: () => socket,
    method: request.method,
    path: path.startsWith("/") ? path : `/${path}`,
    headers: { ...passedOn(request.headers), host: authority, connection: "close" },
  });
  onward.on("response", (said) => passBack(said, response));
  const failed = (): void => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { connection: "close", "content-length": 0 }).end();
  };
  onward.on("error", failed);
  // A client that wants another protocol than HTTP must use a tunnel.
  onward.on("upgrade", (_, upgraded) => {
    upgraded.destroy();
    failed();
  });
  response.on("close", () => socket.destroy());
  pipeline(request, onward, () => undefined);
}

/** The other side may send anything. If we cannot pass it on, only this answer ends. */
function passBack(said: IncomingMessage, response: ServerResponse): void {
  try {
    response.writeHead(said.statusCode ?? 502, passedOn(said.headers));
    pipeline(said, response, () => undefined);
  } catch {
    response.destroy();
  }
}

type Reached =
  | Extract<Dialled, { kind: "connected" }>
  | { readonly kind: "not"; readonly status: number; readonly reason: string };

/** Connects to the target or says why not: to the one who asked and, if we refused it, in the log. */
async function reach(
  text: string,
  target: Target | undefined,
  options: EgressOptions,
): Promise<Reached> {
  if (target === undefined) {
    options.refused(text, "is not of the form host:port");
    return { kind: "not", status: 400, reason: "expected host:port" };
  }
  const dialled = await dial(target, options);
  if (dialled.kind === "connected") return dialled;
  const what = `${target.host}:${target.port}`;
  if (dialled.kind === "refused") options.refused(what, dialled.reason);
  const status = dialled.kind === "refused" ? 403 : 502;
  return { kind: "not", status, reason: `${what} ${dialled.reason}` };
}

/** A header that `Connection` names is also for the next machine alone. */
function passedOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = (headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase());
  const kept = Object.entries(headers).filter(
    ([name]) => !HOP_BY_HOP.includes(name) && !named.includes(name),
  );
  return Object.fromEntries(kept);
}

function answer(client: Duplex, status: number, reason: string): void {
  if (!client.writable) return void client.destroy();
  const head = [
    `HTTP/1.1 ${status} ${WORDS[status] ?? "Refused"}`,
    "Content-Type: text/plain",
    "Connection: close",
    `Content-Length: ${Buffer.byteLength(reason) + 1}`,
  ];
  client.end(`${head.join("\r\n")}\r\n\r\n${reason}\n`);
  // The client has time to read the answer, but is not listened to any more.
  setTimeout(() => client.destroy(), LINGER_MS).unref();
}
