import type { ChangedFile } from "../../git/diff.ts";
import type { Commit } from "../../git/history.ts";
import type { Repository } from "../../model/repository.ts";
import type { World } from "../../model/world.ts";
import { repositoryApi, repositoryPage } from "./repository.ts";

export function commitView(world: World, repository: Repository, commit: Commit) {
  const api = repositoryApi(world, repository);
  const page = repositoryPage(world, repository);
  const url = `${api}/commits/${commit.sha}`;
  return {
    sha: commit.sha,
    node_id: `C_${commit.sha}`,
    url,
    html_url: `${page}/commit/${commit.sha}`,
    comments_url: `${url}/comments`,
    commit: {
      url: `${api}/git/commits/${commit.sha}`,
      author: commit.author,
      committer: commit.committer,
      message: commit.message,
      comment_count: 0,
      tree: { sha: commit.tree, url: `${api}/git/trees/${commit.tree}` },
      verification: {
        verified: false,
        reason: "unsigned",
        payload: null,
        signature: null,
        verified_at: null,
      },
    },
    author: null,
    committer: null,
    parents: commit.parents.map((sha) => ({
      sha,
      url: `${api}/commits/${sha}`,
      html_url: `${page}/commit/${sha}`,
    })),
  };
}

export function changedFileView(
  world: World,
  where: { readonly repository: Repository; readonly headSha: string },
  file: ChangedFile,
) {
  const { repository, headSha } = where;
  const path = file.path.split("/").map(encodeURIComponent).join("/");
  const page = repositoryPage(world, repository);
  return {
    sha: file.sha,
    filename: file.path,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    blob_url: `${page}/blob/${headSha}/${path}`,
    raw_url: `${page}/raw/${headSha}/${path}`,
    contents_url: `${repositoryApi(world, repository)}/contents/${path}?ref=${headSha}`,
    ...(file.previousPath === null ? {} : { previous_filename: file.previousPath }),
  };
}
