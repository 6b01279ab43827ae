import { findRepository, findThread, findUser } from "../model/find.ts";
import type { Issue } from "../model/issue.ts";
import type { PullRequest } from "../model/pull-request.ts";
import type { World } from "../model/world.ts";
import type { HttpRequest, HttpResponse } from "../wire/http.ts";
import { boardPage } from "./board-page.ts";
import { isOwnHost } from "./guard.ts";
import type { Doorkeeper } from "./guard.ts";
import { html } from "./html.ts";
import { issuePage } from "./issue-page.ts";
import { pageResponse, redirect } from "./layout.ts";
import { pullPage } from "./pull-page.ts";
import type { ReviewDesk } from "./pull-page.ts";
import { submitBoard, submitForm } from "./submit-form.ts";
import { threadPath } from "./thread-parts.ts";

export interface PagesOptions {
  /** The buttons act as the person with this login. */
  readonly as: string;
}

const LOCKED =
  "Open the whole address that the command printed: it ends with a key, and nobody else has that.";

const THREAD_PATH = /^\/([^/]+)\/([^/]+)\/(issues|pull)\/(\d{1,9})$/;

/** Serves pages for people, at the addresses where GitHub has them; answers undefined when a request is not for a page. */
export function createPages(
  world: World,
  { as, door }: PagesOptions & { readonly door: Doorkeeper },
): (request: HttpRequest) => Promise<HttpResponse | undefined> {
  return async (request) => {
    if (!isForPeople(request)) return undefined;
    if (!isOwnHost(request)) return messagePage(403, "The local GitHub is not at this address.");
    const welcome = door.welcome(request);
    if (welcome !== undefined) return welcome;
    if (!door.knows(request)) return messagePage(401, LOCKED);
    if (request.method === "POST" && door.isFromElsewhere(request)) {
      return messagePage(403, "This form was not sent from a page of this local GitHub.");
    }
    return answer(world, request, { reviewer: findUser(world, as), token: door.formToken });
  };
}

async function answer(world: World, request: HttpRequest, desk: ReviewDesk): Promise<HttpResponse> {
  const isSent = request.method === "POST";
  if (request.url.pathname === "/")
    return isSent ? submitBoard(world, request, desk) : pageResponse(200, boardPage(world, desk));
  const thread = threadAt(world, request.url.pathname);
  if (thread === undefined) return messagePage(404, "There is no such issue or pull request.");
  return isSent
    ? submitForm(world, request, { thread, desk })
    : threadResponse(world, request, { thread, desk });
}

/** Tells people from programs: programs ask for JSON or for anything; a browser names HTML, or posts a form to where no API is. */
function isForPeople({ method, url, headers }: HttpRequest): boolean {
  const [, , , kind] = THREAD_PATH.exec(url.pathname) ?? [];
  if (method === "POST") return kind !== undefined || url.pathname === "/";
  const accept = headers["accept"] ?? "";
  const wantsHtml = accept.includes("text/html") && !/json|vnd[.]github/.test(accept);
  return method === "GET" && wantsHtml && (url.pathname === "/" || kind !== undefined);
}

/** Makes a page that says one thing and leads back to the board. */
function messagePage(status: number, words: string): HttpResponse {
  const main = html`<h1>${words}</h1>
    <p><a href="/">To the board</a></p>`;
  return pageResponse(status, { title: words, width: "narrow", main });
}

function threadAt(world: World, path: string): Issue | PullRequest | undefined {
  const [, owner = "", name = "", , number] = THREAD_PATH.exec(path) ?? [];
  const repository = findRepository(world, `${owner}/${name}`);
  return repository && findThread(world, repository, Number(number));
}

async function threadResponse(
  world: World,
  request: HttpRequest,
  { thread, desk }: Parameters<typeof submitForm>[2],
): Promise<HttpResponse> {
  const path = threadPath(thread);
  if (request.url.pathname.toLowerCase() !== path.toLowerCase()) return redirect(path);
  if (thread.kind === "issue") return pageResponse(200, issuePage(world, thread, desk));
  return pageResponse(200, await pullPage(world, thread, desk));
}
