import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import type { Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { reachableUrl } from "../../control/control-file.ts";
import { AppError } from "../../shared/app-error.ts";
import type { Result } from "../../shared/result.ts";
import type { Manifest } from "./manifest.ts";

export interface ManifestFlow<T> {
  /** A person opens this address; whoever does not know its key sees nothing. */
  readonly url: string;
  readonly made: Promise<T>;
  close(): Promise<void>;
}

/** These are Probot's own addresses. */
const FORM_PATH = "/probot";
const CALLBACK_PATH = "/probot/setup";
const CLOSE_TIMEOUT_MS = 2_000;

interface FlowOptions<T> {
  readonly host: string;
  readonly port: number;
  /** It makes the page with the form; whoever sends the form comes back to `redirectUrl` with this state. */
  readonly form: (redirectUrl: string, state: string) => string;
  /** It exchanges GitHub's code for the app and keeps the app; it returns the page to go on to, or why that failed. */
  readonly accept: (
    code: string,
  ) => Promise<Result<{ readonly next: string; readonly made: T }, string>>;
}

interface Reply {
  readonly status: number;
  readonly page?: string;
  readonly location?: string;
}

const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}" +
  "button{font:inherit;padding:.5rem 1rem}code{background:#8882;padding:.1rem .3rem}";

/** Serves the page that makes the app, until it is made. */
export async function startManifestFlow<T>(options: FlowOptions<T>): Promise<ManifestFlow<T>> {
  const [key, state] = [secret(), secret()];
  const { promise: made, resolve } = withResolver<T>();
  let site = "";
  let step: "open" | "exchanging" | "done" = "open";

  async function callBack(query: URLSearchParams): Promise<Reply> {
    const code = query.get("code") ?? "";
    if (!isSame(query.get("state") ?? "", state)) return words(400, WRONG_STATE);
    if (code === "") return words(400, "GitHub sent no code: begin again at the first page.");
    if (step !== "open") return words(409, "The app is made already, or just being made.");
    step = "exchanging";
    const accepted = await options.accept(code);
    step = accepted.ok ? "done" : "open";
    if (!accepted.ok) return words(502, accepted.error);
    resolve(accepted.value.made);
    return { status: 302, location: accepted.value.next };
  }

  async function answer(method: string, url: URL): Promise<Reply> {
    if (method !== "GET") return words(405, "There is nothing to send here.");
    if (url.pathname === CALLBACK_PATH) return callBack(url.searchParams);
    if (url.pathname !== FORM_PATH && url.pathname !== "/") return words(404, "No such page.");
    if (!isSame(url.searchParams.get("key") ?? "", key)) return words(403, WRONG_KEY);
    if (step !== "open") return words(409, "The app is made already, or just being made.");
    return { status: 200, page: options.form(`${site}${CALLBACK_PATH}`, state) };
  }

  const server = createServer((request, response) => {
    void answer(request.method ?? "", new URL(request.url ?? "/", "http://setup"))
      .catch((error: unknown) => words(500, error instanceof Error ? error.message : "It failed."))
      .then((reply) => send(response, reply));
  });
  await listen(server, options);
  site = reachableUrl(options.host, (server.address() as AddressInfo).port);
  return { url: `${site}${FORM_PATH}?key=${key}`, made, close: () => close(server) };
}

const WRONG_KEY = "Open the address that the terminal shows: it has a key at its end.";
const WRONG_STATE = "This does not come from the page that the terminal shows: begin again there.";

function secret(): string {
  return randomBytes(24).toString("base64url");
}

function isSame(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function words(status: number, text: string): Reply {
  return { status, page: renderWordsPage(status < 400 ? "Done" : "That did not work", text) };
}

function send(response: ServerResponse, { status, page = "", location }: Reply): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "content-security-policy":
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
    connection: "close",
    ...(location === undefined ? {} : { location }),
  });
  response.end(page);
}

function withResolver<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}

async function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => {
      const taken = "code" in error && error.code === "EADDRINUSE";
      const why = taken ? "it is in use; choose another with --port" : error.message;
      reject(new AppError("process-failed", `cannot listen on ${host}:${port}: ${why}`));
    });
    server.listen(port, host, resolve);
  });
}

/** Waits for the last answer to be sent, but not for connections that a browser keeps open for later. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT_MS).unref();
  });
}

/** Makes a page with one button that sends the manifest to GitHub. */
export function renderFormPage(manifest: Manifest, action: string): string {
  const permissions = Object.entries(manifest.default_permissions).map(
    ([name, level]) => `<li><code>${escapeHtml(`${name}: ${level}`)}</code></li>`,
  );
  const { url, active } = manifest.hook_attributes;
  const webhook = active
    ? `Webhooks go to <code>${escapeHtml(url)}</code>.`
    : "Webhooks are off, since no public address was given: boards are read by a timer.";
  return page(
    "Create the GitHub App",
    `<p>GitHub shows what it is going to make, and asks for your word. ${webhook}</p>
<ul>${permissions.join("")}</ul>
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="manifest" value="${escapeHtml(JSON.stringify(manifest))}">
<button>Create ${escapeHtml(manifest.name)} on GitHub</button>
</form>`,
  );
}

function renderWordsPage(title: string, words: string): string {
  return page(title, `<p>${escapeHtml(words)}</p>`);
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Wavetrain: ${escapeHtml(title)}</title><style>${STYLE}</style>
<h1>${escapeHtml(title)}</h1>
${body}
</html>
`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
