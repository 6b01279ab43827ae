import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Log } from "../ports/log.ts";
import { refusalOf } from "./check-access.ts";
import type { AccessRules } from "./check-access.ts";
import {
  newControlToken,
  reachableUrl,
  removeControlFile,
  writeControlFile,
} from "./control-file.ts";
import { getEvents } from "./get-events.ts";
import { getLogBytes, getLogs } from "./get-logs.ts";
import { getStatus } from "./get-status.ts";
import { postCommands } from "./post-commands.ts";
import type { ControlAnswer, ControlSource, Route } from "./route.ts";
import { getRunners, postLift } from "./runners-routes.ts";

export interface Control {
  readonly serve: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
  /** It writes down for the command line where the server is. */
  announce(host: string, port: number): Promise<void>;
  /** It ends the requests that follow the log, so that the port can be closed. */
  close(): Promise<void>;
}

const PREFIX = "/wavetrain/";
const UNSTORED = { "cache-control": "no-store" } as const;
const ROUTES: readonly Route[] = [
  getEvents,
  getLogs,
  getLogBytes,
  getRunners,
  getStatus,
  postCommands,
  postLift,
];

interface ControlOptions {
  readonly rules: AccessRules;
  readonly source: ControlSource;
  readonly log: Log;
  /** It is aborted when the app stops, so that nobody is kept waiting for more. */
  readonly signal: AbortSignal;
}

/** Answers requests below `/wavetrain/`; false leaves a request to others. */
function createControl(
  options: ControlOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<boolean> {
  return async (request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    if (!url.pathname.startsWith(PREFIX)) return false;
    try {
      await answer({ request, response, url }, options);
    } catch (err) {
      options.log.error({ err }, "control request failed");
      // Half of an answer cannot be taken back: the asker has to see that it is cut.
      if (response.headersSent) response.destroy();
      else refuse(response, 500, "the request failed; the server's log says why");
    }
    return true;
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
}

async function answer({ request, response, url }: Exchange, options: ControlOptions) {
  const { host, authorization } = request.headers;
  const { remoteAddress: address, localAddress } = request.socket;
  const asker = { address, localAddress, host, authorization };
  const refusal = refusalOf(asker, options.rules);
  if (refusal !== undefined) {
    refuse(response, refusal.status, refusal.reason);
    return;
  }
  const path = url.pathname.slice(PREFIX.length);
  const there = ROUTES.filter((route) => route.path === path);
  const route = there.find(({ method }) => method === request.method);
  if (route === undefined) {
    if (there.length === 0) refuse(response, 404, `there is nothing at ${PREFIX}${path}`);
    else refuse(response, 405, `${String(request.method)} is not possible here`);
    return;
  }
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const signal = AbortSignal.any([gone.signal, options.signal]);
  await send(response, await route.answer({ query: url.searchParams, signal }, options.source));
}

async function send(response: ServerResponse, sent: ControlAnswer): Promise<void> {
  if (sent.kind === "refused") {
    refuse(response, 400, sent.reason);
    return;
  }
  if (sent.kind === "json") {
    sendJson(response, 200, sent.body);
    return;
  }
  if (sent.kind === "bytes") {
    response.writeHead(200, { "content-type": "application/octet-stream", ...UNSTORED });
    response.end(sent.bytes);
    return;
  }
  response.writeHead(200, { "content-type": "application/x-ndjson", ...UNSTORED });
  response.flushHeaders();
  for await (const line of sent.lines) {
    if (response.destroyed) return;
    if (!response.write(`${JSON.stringify(line)}\n`)) await drained(response);
  }
  response.end();
}

async function drained(response: ServerResponse): Promise<void> {
  const stop = new AbortController();
  const ends = [once(response, "drain", stop), once(response, "close", stop)];
  await Promise.race(ends.map((end) => end.catch(() => undefined)));
  stop.abort();
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  sendJson(response, status, { error: reason });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json", ...UNSTORED });
  response.end(JSON.stringify(body));
}

/** Opens the control interface of a server that is about to listen. */
export function openControl(source: ControlSource & { readonly log: Log }): Control {
  const { dataDir, control, server } = source.operator;
  const token = newControlToken();
  const rules = { token, remote: control.remote, hosts: [...control.hosts, server.host] };
  const ended = new AbortController();
  return {
    serve: createControl({ rules, source, log: source.log, signal: ended.signal }),
    announce: (host, port) =>
      writeControlFile(dataDir, { url: reachableUrl(host, port), token, pid: process.pid }),
    close() {
      ended.abort();
      return removeControlFile(dataDir);
    },
  };
}
