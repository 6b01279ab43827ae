import { gunzipSync } from "node:zlib";
import { runGit } from "./git.ts";

export interface SmartHttpRequest {
  /** This is the folder of the bare repository. */
  readonly dir: string;
  /** This is the part after the repository: `/info/refs`, `/git-upload-pack`, `/git-receive-pack`. */
  readonly path: string;
  readonly query: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly env?: Readonly<Record<string, string>>;
}

export interface SmartHttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const SERVICE = /^git-(upload-pack|receive-pack)$/;
const SECOND_VERSION = "000eversion 2\n";
const NOT_TO_KEEP = { "cache-control": "no-cache, max-age=0, must-revalidate" };

/** Lets git itself answer what its clients ask by smart HTTP. */
export async function answerSmartHttp(request: SmartHttpRequest): Promise<SmartHttpAnswer> {
  const asksForRefs = request.path === "/info/refs";
  const named = asksForRefs
    ? (new URLSearchParams(request.query).get("service") ?? "")
    : request.path.slice(1);
  const [, service] = SERVICE.exec(named) ?? [];
  if (service === undefined) return refusal(403, "Please upgrade your git client.");
  if (request.method !== (asksForRefs ? "GET" : "POST")) return refusal(405, "Method not allowed");
  return asksForRefs ? advertise(request, service) : converse(request, service);
}

async function advertise(request: SmartHttpRequest, service: string): Promise<SmartHttpAnswer> {
  const refs = await run(request, [service, "--stateless-rpc", "--advertise-refs", "."]);
  // The second version of the protocol does not name the service first.
  const isSecond = refs.toString("latin1", 0, SECOND_VERSION.length) === SECOND_VERSION;
  const preface = isSecond ? "" : `${packetLine(`# service=git-${service}\n`)}0000`;
  const body = Buffer.concat([Buffer.from(preface), refs]);
  return answer(`application/x-git-${service}-advertisement`, body);
}

async function converse(request: SmartHttpRequest, service: string): Promise<SmartHttpAnswer> {
  if (request.headers["content-type"] !== `application/x-git-${service}-request`) {
    return refusal(415, "Unsupported Media Type");
  }
  const body = await run(request, [service, "--stateless-rpc", "."]);
  return answer(`application/x-git-${service}-result`, body);
}

async function run(request: SmartHttpRequest, args: readonly string[]): Promise<Buffer> {
  const { headers, body } = request;
  const isPacked = /^(?:x-)?gzip$/.test(headers["content-encoding"] ?? "");
  const { stdout } = await runGit(request.dir, args, {
    input: isPacked ? gunzipSync(body) : body,
    env: { GIT_PROTOCOL: headers["git-protocol"] ?? "", ...request.env },
  });
  // When git fails, it has already told its client what went wrong, so the output is a good answer.
  return stdout;
}

function packetLine(text: string): string {
  return `${(text.length + 4).toString(16).padStart(4, "0")}${text}`;
}

function answer(type: string, body: Buffer): SmartHttpAnswer {
  return { status: 200, headers: { "content-type": type, ...NOT_TO_KEEP }, body };
}

function refusal(status: number, words: string): SmartHttpAnswer {
  const headers = { "content-type": "text/plain; charset=utf-8", ...NOT_TO_KEEP };
  return { status, headers, body: Buffer.from(words) };
}
