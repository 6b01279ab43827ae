import type { OutOfReach } from "../../../domain/claim/out-of-reach.ts";
import { lfsRulesFrom } from "../../git/mirror/read-attributes.ts";
import type { Octokit } from "../connection/connection.ts";
import { httpFailureOf } from "../connection/github-failure.ts";

interface Place {
  readonly owner: string;
  readonly repo: string;
  readonly ref: string;
}

/** Reads the two files at the root that say it. The app itself reads the whole tree over git. */
export async function readOutOfReach(client: Octokit, place: Place): Promise<OutOfReach> {
  const modules = await readLines(client, place, ".gitmodules");
  const attributes = await readLines(client, place, ".gitattributes");
  return {
    submodules: modules.flatMap((line) => /^\s*path\s*=\s*(.+?)\s*$/.exec(line)?.[1] ?? []),
    lfs: lfsRulesFrom(attributes.map((text) => ({ folder: "", text }))),
  };
}

async function readLines(client: Octokit, place: Place, path: string): Promise<readonly string[]> {
  try {
    const { data } = await client.rest.repos.getContent({ ...place, path });
    if (Array.isArray(data) || data.type !== "file") return [];
    return Buffer.from(data.content, "base64").toString("utf8").split("\n");
  } catch (error) {
    if (httpFailureOf(error)?.status === 404) return [];
    throw error;
  }
}
