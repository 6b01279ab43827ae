import { createServer, request as askFor } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream";
import { readTarget } from "../../domain/network/decide-passage.ts";
import type { Target } from "../../domain/network/decide-passage.ts";
import { dial } from "./dial.ts";
import type { Dialled, Surroundings } from "./dial.ts";

export interface EgressOptions extends Surroundings {
  /** Hears of everything that was refused. */
  readonly refused: (what: string, reason: string) => void;
}

/** One run needs a few dozen. */
const MOST_CONNECTIONS = 256;
const HEADERS_MS = 15_000;
const LINGER_MS = 1_000;
const HTTP_PORT = 80;
/** Between two machines, not for whoever is behind them. */
const HOP_BY_HOP = [
  ...["connection", "proxy-connection", "keep-alive", "te", "trailer", "upgrade"],
  ...["proxy-authorization", "proxy-authenticate", "proxy-authentication-info"],
];

/** A proxy for one run, over HTTP: tunnels (CONNECT) and plain requests, to named hosts alone. */
export function createEgressProxy(options: EgressOptions): Server {
  const server = createServer(
    // What is still being sent when the answer is known may go on: a body may take as long as it likes, headers may not.
    { headersTimeout: HEADERS_MS, requestTimeout: 0, connectionsCheckingInterval: 1_000 },
    (request, response) => {
      forward(request, response, options).catch(() => response.destroy());
    },
  );
  server.maxConnections = MOST_CONNECTIONS;
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
    ...{ method: request.method, path: path.startsWith("/") ? path : `/${path}` },
    headers: { ...passedOn(request.headers), host: authority, connection: "close" },
  });
  onward.on("response", (said) => passBack(said, response));
  const failed = (): void => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { connection: "close", "content-length": 0 }).end();
  };
  onward.on("error", failed);
  // What would go on in another language than HTTP has a tunnel for that.
  onward.on("upgrade", (_, upgraded) => {
    upgraded.destroy();
    failed();
  });
  response.on("close", () => socket.destroy());
  pipeline(request, onward, () => undefined);
}

/** The other side may say anything: what cannot be said again ends this answer and nothing else. */
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

/** Says why not, to whoever asked and, where it was us, in the log. */
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

/** A header that `Connection` names is for the next machine alone, too. */
function passedOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = (headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase());
  const kept = Object.entries(headers).filter(
    ([name]) => !HOP_BY_HOP.includes(name) && !named.includes(name),
  );
  return Object.fromEntries(kept);
}

const WORDS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  403: "Forbidden",
  502: "Bad Gateway",
};

function answer(client: Duplex, status: number, reason: string): void {
  if (!client.writable) return void client.destroy();
  const head = [
    `HTTP/1.1 ${status} ${WORDS[status] ?? "Refused"}`,
    ...["Content-Type: text/plain", "Connection: close"],
    `Content-Length: ${Buffer.byteLength(reason) + 1}`,
  ];
  client.end(`${head.join("\r\n")}\r\n\r\n${reason}\n`);
  // Time to read the answer; who goes on talking is not listened to.
  setTimeout(() => client.destroy(), LINGER_MS).unref();
}
