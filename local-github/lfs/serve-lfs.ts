import { authenticate } from "../auth/authenticate.ts";
import { requireAccess } from "../auth/permission.ts";
import { findRepository } from "../model/find.ts";
import { notFound, Problem } from "../model/problem.ts";
import type { Repository } from "../model/repository.ts";
import type { Site } from "../site/site.ts";
import { parseJson } from "../wire/http.ts";
import type { HttpRequest, HttpResponse } from "../wire/http.ts";
import { answerBatch, readBatch } from "./batch.ts";
import { isStoragePath, serveStorage } from "./links.ts";

const LFS_PATH = /^\/([^/]+\/[^/]+?)(?:\.git)?(\/info\/lfs\/(?:objects\/batch|locks\/verify))$/;
const MEDIA_TYPE = "application/vnd.git-lfs+json";

export function isLfsPath(path: string): boolean {
  return LFS_PATH.test(path) || isStoragePath(path);
}

export async function serveLfs(site: Site, request: HttpRequest): Promise<HttpResponse> {
  const { pathname } = request.url;
  return isStoragePath(pathname) ? serveStorage(site.world, request) : serveQuestion(site, request);
}

/** Answers the Batch API and the question who has locked files. There are no locks here. */
async function serveQuestion(site: Site, request: HttpRequest): Promise<HttpResponse> {
  const { pathname: path } = request.url;
  const route = path.replace(LFS_PATH, "/{owner}/{repo}.git$2");
  const body = parseJson(request.body);
  try {
    const fault = site.faults.take({ method: request.method, path, route, body }, "before");
    if (fault !== undefined) throw new Problem(fault.status, fault.message);
    return lfsResponse(200, await answer(site, request, body));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const challenge = error.status === 401 ? { "lfs-authenticate": 'Basic realm="GitHub"' } : {};
    return lfsResponse(error.status, { message: error.message }, challenge);
  }
}

async function answer(site: Site, request: HttpRequest, body: unknown): Promise<unknown> {
  if (request.method !== "POST") throw notFound();
  const accepts = request.headers["accept"] ?? "";
  if (!accepts.includes(MEDIA_TYPE)) throw new Problem(406, "Not Acceptable");
  const [, name = "", path = ""] = LFS_PATH.exec(request.url.pathname) ?? [];
  if (path.endsWith("/locks/verify")) {
    admit(site, request, { name, writes: true });
    return { ours: [], theirs: [] };
  }
  const batch = readBatch(body);
  const repository = admit(site, request, { name, writes: batch.operation === "upload" });
  return answerBatch(site.world, repository, batch);
}

function admit(
  { world }: Site,
  { headers }: HttpRequest,
  { name, writes }: { readonly name: string; readonly writes: boolean },
): Repository {
  const caller = authenticate(world, headers["authorization"]);
  const repository = findRepository(world, name);
  if (caller.kind !== "installation") {
    if (repository !== undefined && !repository.isPrivate && !writes) return repository;
    throw new Problem(401, "Credentials needed");
  }
  if (repository === undefined) throw notFound();
  const needed = writes ? "contents=write" : "contents=read";
  requireAccess(world, caller.token, { repository, needed });
  return repository;
}

function lfsResponse(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return {
    status,
    headers: { "content-type": `${MEDIA_TYPE}; charset=utf-8`, ...headers },
    body: Buffer.from(JSON.stringify(body)),
  };
}
