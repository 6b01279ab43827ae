import { sha, type RepoName, type Sha } from "../../../domain/ids.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";
import { namesProxy } from "../run/git-environment.ts";
import { remoteAccess } from "./remote-access.ts";

// Such a question is about a few lines, so the wait is short; git, which is asked next, waits longer.
const TIMEOUT_MS = 10_000;

// In git's framing each line begins with its length in four hexadecimal digits, which count too.
const LENGTH_DIGITS = 4;

/** Ends a message. */
export const FLUSH = "0000";

/** Stands between a command and what it is about. */
const DELIMITER = "0001";

/**
 * Asks where the remote has the refs without starting a process: `git ls-remote` starts three, and a fetch of nothing four. Returns
 * undefined where only git can ask: it knows other transports and proxies, and how to say what is wrong.
 */
export async function askRefs(
  git: MirrorGit,
  repo: RepoName,
  refs: readonly string[],
): Promise<ReadonlyMap<string, Sha> | undefined> {
  const prefixes = refs.map((ref) => packet(`ref-prefix ${ref}\n`)).join("");
  const question = `${packet("command=ls-refs\n")}${DELIMITER}${prefixes}${FLUSH}`;
  const lines = await post(git, repo, { service: "git-upload-pack", message: question });
  const found = lines?.map((line) => /^([0-9a-f]{40,64}) ([^ ]+)/.exec(line));
  if (found === undefined || found.includes(null)) return undefined;
  return new Map(found.map((parts) => [parts?.[2] ?? "", sha(parts?.[1] ?? "")] as const));
}

/** Deletes a ref of the remote if it is still at `tip`. Returns whether the remote said that it did. */
export async function askToDelete(
  git: MirrorGit,
  repo: RepoName,
  { ref, tip }: { readonly ref: string; readonly tip: Sha },
): Promise<boolean> {
  const command = packet(`${tip} ${"0".repeat(tip.length)} ${ref}\0 report-status\n`);
  const message = `${command}${FLUSH}`;
  const lines = await post(git, repo, { service: "git-receive-pack", message });
  return lines?.includes(`ok ${ref}`) === true;
}

interface Post {
  readonly service: "git-upload-pack" | "git-receive-pack";
  readonly message: string;
}

async function post(
  git: MirrorGit,
  repo: RepoName,
  { service, message }: Post,
): Promise<readonly string[] | undefined> {
  const { url, authorization } = await remoteAccess(git, repo);
  if (authorization === undefined || namesProxy(git.options.env ?? {})) return undefined;
  const asked = fetch(`${url}/${service}`, {
    method: "POST",
    headers: {
      authorization,
      "content-type": `application/x-${service}-request`,
      accept: `application/x-${service}-result`,
      "git-protocol": "version=2",
    },
    body: message,
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  // Whatever went wrong, git will meet it again and put it into words.
  const answer = await asked.then(readBody).catch(() => undefined);
  return answer === undefined ? undefined : readPackets(answer);
}

async function readBody(response: Response): Promise<Buffer | undefined> {
  const body = Buffer.from(await response.arrayBuffer());
  return response.ok ? body : undefined;
}

export function packet(text: string): string {
  const length = LENGTH_DIGITS + Buffer.byteLength(text);
  return length.toString(16).padStart(LENGTH_DIGITS, "0") + text;
}

/** Returns the lines of one message, or undefined unless it is whole. */
export function readPackets(message: Buffer): readonly string[] | undefined {
  const lines: string[] = [];
  for (let at = 0; at < message.length;) {
    const digits = message.toString("latin1", at, at + LENGTH_DIGITS);
    if (digits === FLUSH) return lines;
    const length = /^[0-9a-f]{4}$/.test(digits) ? Number.parseInt(digits, 16) : 0;
    if (length < LENGTH_DIGITS || at + length > message.length) return undefined;
    lines.push(message.toString("utf8", at + LENGTH_DIGITS, at + length).replace(/\n$/, ""));
    at += length;
  }
  return undefined;
}
