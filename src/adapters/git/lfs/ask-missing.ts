import type { RepoName } from "../../../domain/ids.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";
import { remoteAccess } from "../remote/remote-access.ts";
import { namesProxy } from "../run/git-environment.ts";
import type { LfsFile } from "./lfs-files.ts";

const MEDIA_TYPE = "application/vnd.git-lfs+json";
const TIMEOUT_MS = 20_000;
/** Servers take so many in one question. */
const MAX_OBJECTS = 100;

/** The object is not there, or is there no longer. */
const GONE: readonly unknown[] = [404, 410];

/**
 * Asks which of the contents the remote does not have: git-lfs tells it in words only, and these are no ground for a decision. Returns
 * undefined where the remote cannot be asked from here.
 */
export async function askMissing(
  git: MirrorGit,
  repo: RepoName,
  files: readonly LfsFile[],
): Promise<ReadonlySet<string> | undefined> {
  const { url, authorization } = await remoteAccess(git, repo);
  if (authorization === undefined || namesProxy(git.options.env ?? {})) return undefined;
  const missing = new Set<string>();
  for (let at = 0; at < files.length; at += MAX_OBJECTS) {
    const objects = files.slice(at, at + MAX_OBJECTS).flatMap(({ pointer }) => pointer ?? []);
    const asked = fetch(`${url}/info/lfs/objects/batch`, {
      method: "POST",
      headers: { authorization, accept: MEDIA_TYPE, "content-type": MEDIA_TYPE },
      body: JSON.stringify({ operation: "download", transfers: ["basic"], objects }),
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // Whatever goes wrong here went wrong for git-lfs too, whose words are told then.
    const answer = await asked.then(readObjects).catch(() => undefined);
    if (answer === undefined) return undefined;
    for (const oid of answer) missing.add(oid);
  }
  return missing;
}

interface AnsweredObject {
  readonly oid: string;
  readonly error?: { readonly code?: unknown };
}

async function readObjects(response: Response): Promise<readonly string[] | undefined> {
  const body = (await response.json()) as { readonly objects?: readonly AnsweredObject[] };
  if (!response.ok) return undefined;
  return body.objects?.filter(({ error }) => GONE.includes(error?.code)).map(({ oid }) => oid);
}
