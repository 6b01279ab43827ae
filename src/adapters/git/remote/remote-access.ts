import type { RepoName } from "../../../domain/ids.ts";
import type { MirrorCommand, MirrorGit } from "../mirror/mirror-git.ts";

export interface RemoteAccess {
  readonly url: string;
  /** This is the header for HTTP. */
  readonly authorization?: string;
  readonly extra: Pick<MirrorCommand, "config" | "secrets" | "retryable">;
}

/** Gives git the token by environment, and only for its own remote. */
export async function remoteAccess(git: MirrorGit, repo: RepoName): Promise<RemoteAccess> {
  const url = git.options.remoteUrl(repo);
  if (!/^https?:/.test(url)) return { url, extra: { retryable: true } };
  const token = await git.options.token(repo);
  const basic = Buffer.from(`x-access-token:${token}`).toString("base64");
  return {
    url,
    authorization: `Basic ${basic}`,
    extra: {
      config: [[`http.${url}.extraHeader`, `Authorization: Basic ${basic}`]],
      secrets: [token, basic],
      retryable: true,
    },
  };
}
