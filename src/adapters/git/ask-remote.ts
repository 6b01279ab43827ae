import { sha, type RepoName, type Sha } from "../../domain/ids.ts";
import type { MirrorGit } from "./mirror-git.ts";
import { DELIMITER, FLUSH, packet, readPackets } from "./pkt-line.ts";
import { remoteAccess } from "./remote-access.ts";

// Such a question is about a few lines; git, which is asked next, waits longer.
const PATIENCE_MS = 10_000;

/**
 * Where the remote has the refs, without a process: `git ls-remote` is three, and a fetch of nothing four. Undefined where only
 * git can ask: it knows of other transports and proxies, and how to say what is wrong.
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

/** Deletes a ref of the remote that is at `tip`, if it still is; whether the remote said that it did. */
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
  const { HTTP_PROXY, HTTPS_PROXY } = git.options.env ?? {};
  const { url, authorization } = await remoteAccess(git, repo);
  if (authorization === undefined || (HTTP_PROXY ?? HTTPS_PROXY) !== undefined) return undefined;
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
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  // Whatever went wrong, git finds it out again and puts it into words.
  const answer = await asked.then(readBody).catch(() => undefined);
  return answer === undefined ? undefined : readPackets(answer);
}

async function readBody(response: Response): Promise<Buffer | undefined> {
  const body = Buffer.from(await response.arrayBuffer());
  return response.ok ? body : undefined;
}
