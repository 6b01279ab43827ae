import { setTimeout as delay } from "node:timers/promises";
import { brokenRulesFor, syncRefs } from "./actions/pulls/change-refs.ts";
import { authenticate } from "./auth/authenticate.ts";
import type { Caller } from "./auth/caller.ts";
import { grants, requireAccess } from "./auth/permission.ts";
import { oneAtATime } from "./git/one-at-a-time.ts";
import { guardEnvironment } from "./git/push-guard.ts";
import { ZERO_SHA } from "./git/refs.ts";
import type { RefUpdate } from "./git/refs.ts";
import { answerSmartHttp } from "./git/smart-http.ts";
import type { SmartHttpAnswer, SmartHttpRequest } from "./git/smart-http.ts";
import { placesOf } from "./lfs/objects.ts";
import type { User } from "./model/account.ts";
import { findMoved, findRepository } from "./model/find.ts";
import { notFound, Problem } from "./model/problem.ts";
import { fullName } from "./model/repository.ts";
import type { Repository } from "./model/repository.ts";
import type { World } from "./model/world.ts";
import type { Site } from "./site/site.ts";
import type { AnswerFault } from "./wire/faults.ts";
import type { HttpRequest, HttpResponse } from "./wire/http.ts";

const GIT_PATH = /^\/([^/]+\/[^/]+?)(?:\.git)?(\/(?:info\/refs|git-upload-pack|git-receive-pack))$/;

export function isGitPath(path: string): boolean {
  return GIT_PATH.test(path);
}

/** Answers clone, fetch and push over HTTP with git's own program on the bare repositories. */
export async function serveGit(site: Site, request: HttpRequest): Promise<HttpResponse> {
  const { faults } = site;
  const { pathname: path } = request.url;
  const route = path.replace(GIT_PATH, "/{owner}/{repo}.git$2");
  const facts = { method: request.method, path, route, body: undefined };
  if (faults.latency.git > 0) await delay(faults.latency.git);
  try {
    fail(faults.take(facts, "before"));
    const answered = await answer(site, request);
    fail(faults.take(facts, "after"));
    return answered;
  } catch (error) {
    if (error instanceof Problem) return refusal(error);
    throw error;
  }
}

function fail(fault: AnswerFault | undefined): void {
  if (fault === undefined) return;
  throw new Problem(fault.status, fault.message, { headers: fault.headers ?? {} });
}

async function answer(site: Site, request: HttpRequest): Promise<HttpResponse> {
  const [, name = "", path = ""] = GIT_PATH.exec(request.url.pathname) ?? [];
  const writes = `${path}${request.url.search}`.includes("git-receive-pack");
  const caller = authenticate(site.world, request.headers["authorization"]);
  const moved = findMoved(site.world, name);
  const repository = findRepository(site.world, name) ?? moved;
  const who = admit(site, repository, { caller, writes });
  if (repository === undefined) throw notFound();
  if (repository === moved) return redirected(site.world, moved, { path, ...request });
  const ask = {
    dir: repository.dir,
    path,
    query: request.url.search.slice(1),
    method: request.method,
    headers: request.headers,
    body: request.body,
  };
  if (!path.endsWith("receive-pack") || who === undefined) return answerSmartHttp(ask);
  return oneAtATime(repository, async () => push(site, repository, { ...who, ask }));
}

/** The name is a former one: git asks at the new address, for this and all that follows. */
function redirected(
  world: World,
  repository: Repository,
  { path, url }: { readonly path: string; readonly url: URL },
): HttpResponse {
  const location = `${world.url}/${fullName(repository)}.git${path}${url.search}`;
  return { status: 301, headers: { location }, body: Buffer.alloc(0) };
}

type Authenticated = Extract<Caller, { kind: "installation" }>;

function admit(
  site: Site,
  repository: Repository | undefined,
  { caller, writes }: { readonly caller: Caller; readonly writes: boolean },
): Authenticated | undefined {
  const open = repository !== undefined && !repository.isPrivate && !writes;
  if (caller.kind !== "installation") {
    if (open) return undefined;
    throw new Problem(401, "Invalid username or token.");
  }
  if (repository === undefined) throw notFound();
  const needed = writes ? "contents=write" : "contents=read";
  try {
    requireAccess(site.world, caller.token, { repository, needed });
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 403) throw error;
    throw new Problem(403, deniedWords(repository, caller.actor, writes));
  }
  return caller;
}

function deniedWords(repository: Repository, actor: User, writes: boolean): string {
  return writes
    ? `Permission to ${fullName(repository)}.git denied to ${actor.login}.`
    : "Write access to repository not granted.";
}

interface Push extends Authenticated {
  readonly ask: SmartHttpRequest;
}

async function push(site: Site, repository: Repository, wanted: Push): Promise<SmartHttpAnswer> {
  const { actor, ask, token } = wanted;
  const updates = receiveCommands(ask.body);
  const rules = await brokenRulesFor(site.world, repository, { updates, actor });
  const mayChange = grants(token, "workflows=write");
  const workflowsOf = mayChange ? undefined : `refs/heads/${repository.defaultBranch}`;
  const env = guardEnvironment({ ...rules, workflowsOf, lfsPlaces: placesOf(repository) });
  const answered = await answerSmartHttp({ ...ask, env });
  await syncRefs(site.world, repository, actor);
  return answered;
}

/** Reads the ref updates that a push asks for. They are command lines before the pack, each a length in hex and `old new ref`. */
function receiveCommands(body: Buffer): readonly RefUpdate[] {
  const updates: RefUpdate[] = [];
  for (let at = 0; at + 4 <= body.length;) {
    const length = Number.parseInt(body.toString("latin1", at, at + 4), 16);
    if (!(length > 4)) break;
    const [command = ""] = body.toString("utf8", at + 4, at + length).split("\0");
    const [before = "", after = "", name = ""] = command.trim().split(" ");
    updates.push({ name, before: orNone(before), after: orNone(after) });
    at += length;
  }
  return updates;
}

function orNone(sha: string): string | null {
  return sha === ZERO_SHA ? null : sha;
}

function refusal(problem: Problem): HttpResponse {
  const challenge = problem.status === 401 ? { "www-authenticate": 'Basic realm="GitHub"' } : {};
  return {
    status: problem.status,
    headers: { "content-type": "text/plain; charset=utf-8", ...challenge, ...problem.headers },
    body: Buffer.from(problem.message),
  };
}
