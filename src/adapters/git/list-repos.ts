import { join } from "node:path";
import { repoName, type RepoName } from "../../domain/ids.ts";
import { namesIn } from "./names-in.ts";

/** The repositories that have a folder `<owner>/<name><ending>` below one of the layout's. */
export async function listRepos(folder: string, ending = ""): Promise<readonly RepoName[]> {
  const found: RepoName[] = [];
  for (const owner of await namesIn(folder))
    for (const name of await namesIn(join(folder, owner)))
      if (name.endsWith(ending))
        found.push(
          repoName(`${owner}/${decodeURIComponent(name.slice(0, name.length - ending.length))}`),
        );
  return found;
}
