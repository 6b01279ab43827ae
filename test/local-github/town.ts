import { createSign, generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { onTestFinished } from "vitest";
import type { Installation } from "../../local-github/model/app.ts";
import type { Project } from "../../local-github/model/project.ts";
import type { Repository } from "../../local-github/model/repository.ts";
import { startLocalGitHub } from "../../local-github/start-local-github.ts";
import type { LocalGitHub, LocalGitHubOptions } from "../../local-github/start-local-github.ts";
import { StrictObserver } from "../support/schemas/strict-observer.ts";

export const PERMISSIONS = {
  contents: "write",
  issues: "write",
  pull_requests: "write",
  checks: "write",
  statuses: "write",
  organization_projects: "write",
  merge_queues: "read",
  actions: "read",
} as const;

const EVENTS = [
  "issues",
  "issue_comment",
  "issue_dependencies",
  "sub_issues",
  "label",
  "pull_request",
  "pull_request_review",
  "push",
  "status",
  "check_run",
  "merge_group",
  "projects_v2",
  "projects_v2_item",
  "repository",
];

export interface Heard {
  readonly event: string;
  readonly guid: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface Town {
  readonly github: LocalGitHub;
  readonly observer: StrictObserver;
  readonly app: Repository;
  readonly board: Project;
  readonly installation: Installation;
  readonly heard: Heard[];
  /** Of these events, in order of arrival, as `event.action`. */
  names(): readonly string[];
  jwt(claims?: Readonly<Record<string, unknown>>): string;
  token(request?: Readonly<Record<string, unknown>>): Promise<string>;
  ask(method: string, path: string, more?: Ask): Promise<Reply>;
  /** With a token of the whole installation. */
  call(method: string, path: string, body?: unknown): Promise<Reply>;
  scratch(): Promise<string>;
  git(cwd: string, ...args: string[]): Promise<string>;
  remote(token: string): string;
}

interface Ask {
  readonly body?: unknown;
  readonly auth?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const KEYS = generateKeyPairSync("rsa", { modulusLength: 2048 });
export const SECRET = "a secret of the tests";
const FILES = { "README.md": "# App\n", "src/a.ts": "export const a = 1;\n" };

/** A local GitHub with one organization, repository and board, held against the published schemas. */
export async function createTown(
  options: Pick<LocalGitHubOptions, "limits" | "latency" | "now" | "enterprise"> = {},
  asked: "strict" | "lenient" = "strict",
): Promise<Town> {
  const dataDir = await mkdtemp(join(tmpdir(), "town-"));
  const observer = new StrictObserver();
  const github = await startLocalGitHub({
    ...options,
    dataDir,
    observer,
    app: {
      id: 4711,
      slug: "wavetrain",
      name: "Wavetrain",
      publicKey: KEYS.publicKey.export({ type: "spki", format: "pem" }).toString(),
      webhookSecret: SECRET,
    },
  });
  const heard: Heard[] = [];
  const receiver = await listenForWebhooks(heard);
  github.setWebhookUrl(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`);
  onTestFinished(async () => {
    await github.close();
    receiver.closeAllConnections();
    receiver.close();
    await rm(dataDir, { recursive: true, force: true });
    if (asked === "strict") observer.assertNoViolations();
  });
  const parts = await settle(github);
  return { github, observer, heard, ...parts, ...verbs(github, parts, { heard, dataDir }) };
}

async function settle(github: LocalGitHub) {
  github.addOrganization("acme");
  for (const login of ["alice", "bob", "rita"]) github.addUser(login);
  const app = await github.addRepository({
    owner: "acme",
    name: "app",
    from: FILES,
    roles: { alice: "admin", bob: "write", rita: "read" },
  });
  const installation = github.installApp({
    account: "acme",
    permissions: PERMISSIONS,
    events: EVENTS,
  });
  const columns = ["Backlog", "Ready", "Running", "Done"];
  const board = github.addProject({ org: "acme", title: "Work", columns });
  return { app, board, installation };
}

function verbs(
  github: LocalGitHub,
  { app, installation }: { readonly app: Repository; readonly installation: Installation },
  { heard, dataDir }: { readonly heard: Heard[]; readonly dataDir: string },
) {
  const ask = async (method: string, path: string, more: Ask = {}): Promise<Reply> => {
    const response = await fetch(`${github.url}${path}`, {
      method,
      headers: {
        ...(more.auth === undefined ? {} : { authorization: `Bearer ${more.auth}` }),
        ...more.headers,
      },
      ...(more.body === undefined ? {} : { body: JSON.stringify(more.body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    const body: unknown = isJson && text !== "" ? JSON.parse(text) : text;
    return { status: response.status, headers: response.headers, body };
  };
  const token = async (request: Readonly<Record<string, unknown>> = {}): Promise<string> => {
    const path = `/app/installations/${installation.id}/access_tokens`;
    const minted = await ask("POST", path, { auth: jwt(), body: request });
    return String(at(minted.body, "token"));
  };
  let whole: string | undefined;
  return {
    ask,
    jwt,
    token,
    call: async (method: string, path: string, body?: unknown) => {
      whole ??= await token();
      return ask(method, path, { auth: whole, ...(body === undefined ? {} : { body }) });
    },
    names: () =>
      heard.map(({ event, payload: { action } }) =>
        typeof action === "string" ? `${event}.${action}` : event,
      ),
    scratch: async () => mkdtemp(join(dataDir, "scratch-")),
    git: async (cwd: string, ...args: string[]) => {
      const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
      const env = { GIT_TERMINAL_PROMPT: "0", GIT_CONFIG_GLOBAL: "/dev/null" };
      return (await execa("git", [...identity, ...args], { cwd, env })).stdout;
    },
    remote: (secret: string) =>
      `${github.url.replace("//", `//x-access-token:${secret}@`)}/acme/${app.name}.git`,
  };
}

/** Reaches into an answer: `at(body, "head", "sha")`. The strict observer has checked its shape. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce(
    (inner, key) => (inner as Readonly<Record<string | number, unknown>> | undefined)?.[key],
    value,
  );
}

function jwt(claims: Readonly<Record<string, unknown>> = {}): string {
  const now = Math.floor(Date.now() / 1000);
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const payload = { iat: now - 30, exp: now + 540, iss: "4711", ...claims };
  const text = `${part({ alg: "RS256", typ: "JWT" })}.${part(payload)}`;
  const signature = createSign("RSA-SHA256").update(text).sign(KEYS.privateKey, "base64url");
  return `${text}.${signature}`;
}

async function listenForWebhooks(heard: Heard[]): Promise<Server> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      heard.push({
        event: String(request.headers["x-github-event"]),
        guid: String(request.headers["x-github-delivery"]),
        headers: request.headers,
        text,
        payload: JSON.parse(text) as Record<string, unknown>,
      });
      response.end("ok");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
