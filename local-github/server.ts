import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isGitPath, serveGit } from "./git-endpoint.ts";
import { createGraphql } from "./graphql-endpoint.ts";
import { isLfsPath, serveLfs } from "./lfs/serve-lfs.ts";
import { isLogPath, serveLog } from "./log-endpoint.ts";
import { isNewAppPath, serveNewApp } from "./new-app-endpoint.ts";
import { Doorkeeper } from "./pages/guard.ts";
import { createPages } from "./pages/serve-pages.ts";
import type { PagesOptions } from "./pages/serve-pages.ts";
import { createRest } from "./rest/serve-rest.ts";
import type { Site } from "./site/site.ts";
import { jsonResponse, readBody } from "./wire/http.ts";
import type { HttpRequest, HttpResponse } from "./wire/http.ts";

const KEEP_ALIVE_MS = 60_000;
const NOT_FOUND = { message: "Not Found" };

interface ListenOptions {
  readonly port: number;
  readonly pages: PagesOptions | undefined;
  readonly enterprise: boolean;
}

/** Listens on loopback only; nothing here is meant for a network. */
export async function listen(
  site: Site,
  { port, pages: wanted, enterprise }: ListenOptions,
): Promise<{ readonly server: Server; readonly url: string; readonly key: string | undefined }> {
  const rest = createRest(site);
  const graphql = createGraphql(site);
  const door = wanted && new Doorkeeper();
  const pages = wanted && door && createPages(site.world, { ...wanted, door });
  const nothing = jsonResponse(404, NOT_FOUND);
  const api = (isGraphql: boolean, isBelowApi: boolean) => {
    if (enterprise && !isBelowApi) return () => nothing;
    return isGraphql ? graphql : rest;
  };
  const route: Route = async (request, isBelowApi) => {
    if (isGitPath(request.url.pathname)) return serveGit(site, request);
    if (isLfsPath(request.url.pathname)) return serveLfs(site, request);
    if (isLogPath(request.url.pathname)) return serveLog(site.world, request);
    if (isNewAppPath(request.url.pathname)) {
      // Only a person may agree to an App, because it takes the place of the one that is at work.
      const isPerson = door === undefined || door.knows(request);
      return isPerson ? serveNewApp(site.world, request) : nothing;
    }
    const isGraphql = request.url.pathname === "/graphql";
    const page = isGraphql ? undefined : await pages?.(request);
    return page ?? api(isGraphql, isBelowApi)(request);
  };
  const server = createServer((incoming, response) => {
    void reply(site, incoming, { response, route });
  });
  // Node's five seconds are shorter than a busy client's pause: its next request would meet a closed connection.
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${actual}`, key: door?.key };
}

/** `isBelowApi` says that the request was made at an address that only an enterprise server has. */
type Route = (request: HttpRequest, isBelowApi: boolean) => Promise<HttpResponse>;

interface Exchange {
  readonly response: ServerResponse;
  readonly route: Route;
}

async function reply(
  site: Site,
  incoming: IncomingMessage,
  { response, route }: Exchange,
): Promise<void> {
  const isBelowApi = /^\/api\/(?:v3\/|graphql)/.test(incoming.url ?? "");
  const answer = await safely(async () => route(await readRequest(site, incoming), isBelowApi));
  const date = new Date(site.world.now()).toUTCString();
  response.writeHead(answer.status, { date, ...answer.headers });
  response.end(answer.body);
}

/** Answers a mistake of ours with a 500 that says what broke: here nobody is protected by hiding it. */
async function safely(work: () => Promise<HttpResponse>): Promise<HttpResponse> {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return jsonResponse(500, { message: `the local GitHub failed: ${message}` });
  }
}

async function readRequest(site: Site, incoming: IncomingMessage): Promise<HttpRequest> {
  const url = new URL(withoutPrefix(incoming.url ?? "/"), site.world.url);
  const headers = Object.entries(incoming.headers).map(
    ([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")] as const,
  );
  return {
    method: incoming.method ?? "GET",
    url,
    headers: Object.fromEntries(headers),
    body: await readBody(incoming),
  };
}

/** An enterprise server has the API below `/api/v3` and GraphQL at `/api/graphql`. */
function withoutPrefix(path: string): string {
  return path.replace(/^\/api\/v3(?=\/)/, "").replace(/^\/api\/graphql/, "/graphql");
}
