import { join } from "node:path";
import { isRepoName, type RepoName } from "../../domain/ids.ts";
import type { Aside } from "../../ports/aside.ts";
import { decodedName, foldersIn } from "../folders-in.ts";

/** The repositories that have a folder `<owner>/<name><ending>` below one of the layout's. */
export async function listRepos(
  folder: string,
  aside: Aside,
  ending = "",
): Promise<readonly RepoName[]> {
  const found: RepoName[] = [];
  const owners = await foldersIn(folder, { aside, read: ownerIn });
  for (const owner of owners) {
    const read = (name: string): RepoName | undefined => repoIn(owner, name, ending);
    found.push(...(await foldersIn(join(folder, owner), { aside, read })));
  }
  return found;
}

function ownerIn(name: string): string | undefined {
  return isRepoName(`${name}/any`) ? name : undefined;
}

function repoIn(owner: string, folder: string, ending: string): RepoName | undefined {
  if (!folder.endsWith(ending)) return undefined;
  const name = decodedName(folder.slice(0, folder.length - ending.length));
  const repo = `${owner}/${name ?? ""}`;
  return isRepoName(repo) ? repo : undefined;
}
