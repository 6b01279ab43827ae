import { basename, dirname } from "node:path";
import { execa } from "execa";
import { OWN_SETTINGS_ONLY } from "./git.ts";

export interface BackendRequest {
  /** The bare repository. */
  readonly dir: string;
  /** Behind the repository: `/info/refs`, `/git-upload-pack`, `/git-receive-pack`. */
  readonly path: string;
  readonly query: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly user: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface BackendAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Lets git itself answer a smart-HTTP request. */
export async function askHttpBackend(request: BackendRequest): Promise<BackendAnswer> {
  const output = await runBackend(request);
  const end = output.indexOf("\r\n\r\n");
  if (end < 0) throw new Error("git http-backend did not answer");
  return {
    ...parseHead(output.subarray(0, end).toString("latin1")),
    body: output.subarray(end + 4),
  };
}

async function runBackend(request: BackendRequest): Promise<Buffer> {
  const { stdout } = await execa("git", ["http-backend"], {
    cwd: request.dir,
    env: cgiEnvironment(request),
    input: request.body,
    encoding: "buffer",
    stripFinalNewline: false,
    // It may answer and leave before it has read everything.
    reject: false,
  });
  return Buffer.from(stdout);
}

function cgiEnvironment(request: BackendRequest): Record<string, string | undefined> {
  const { headers } = request;
  return {
    ...OWN_SETTINGS_ONLY,
    GIT_PROJECT_ROOT: dirname(request.dir),
    GIT_HTTP_EXPORT_ALL: "1",
    PATH_INFO: `/${basename(request.dir)}${request.path}`,
    QUERY_STRING: request.query,
    REQUEST_METHOD: request.method,
    CONTENT_TYPE: headers["content-type"] ?? "",
    CONTENT_LENGTH: String(request.body.length),
    HTTP_CONTENT_ENCODING: headers["content-encoding"] ?? "",
    GIT_PROTOCOL: headers["git-protocol"] ?? "",
    REMOTE_USER: request.user,
    REMOTE_ADDR: "127.0.0.1",
    ...request.env,
  };
}

function parseHead(head: string): Omit<BackendAnswer, "body"> {
  const headers: Record<string, string> = {};
  for (const line of head.split("\r\n")) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const { status = "200", ...rest } = headers;
  return { status: Number.parseInt(status, 10), headers: rest };
}
