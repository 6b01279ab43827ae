import { ZERO_SHA } from "../git/refs.ts";
import type { User } from "../model/account.ts";
import type { CommitStatus } from "../model/check.ts";
import type { CodeEvent, PushedCommit } from "../model/event.ts";
import type { World } from "../model/world.ts";
import { accountView } from "../rest/view/account.ts";
import { repositoryApi, repositoryPage } from "../rest/view/repository.ts";

type Push = Extract<CodeEvent, { name: "push" }> & { readonly sender: User };

export function pushView(world: World, push: Push) {
  const page = repositoryPage(world, push.repository);
  const commits = push.commits.map((commit) => pushedCommitView(page, commit));
  const before = push.before ?? ZERO_SHA;
  const after = push.after ?? ZERO_SHA;
  return {
    ref: push.ref,
    before,
    after,
    base_ref: null,
    created: push.before === null,
    deleted: push.after === null,
    forced: push.forced,
    compare: `${page}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
    commits,
    head_commit: commits.at(-1) ?? null,
    pusher: {
      name: push.sender.login,
      email: `${push.sender.id}@users.noreply.github.com`,
    },
  };
}

function pushedCommitView(page: string, commit: PushedCommit) {
  return {
    id: commit.id,
    tree_id: commit.tree,
    distinct: true,
    message: commit.message,
    timestamp: commit.timestamp,
    url: `${page}/commit/${commit.id}`,
    author: { name: commit.author.name, email: commit.author.email },
    committer: { name: commit.committer.name, email: commit.committer.email },
    added: commit.added,
    modified: commit.modified,
    removed: commit.removed,
  };
}

/** GitHub also shows the commit; here only what identifies it, since nobody reads more. */
export function statusEventView(world: World, status: CommitStatus) {
  const { repository, sha } = status;
  const api = repositoryApi(world, repository);
  const someone = { name: "GitHub", email: "noreply@github.com", date: status.createdAt };
  const branches = [...repository.refs]
    .filter(([name, tip]) => tip === sha && name.startsWith("refs/heads/"))
    .map(([name]) => ({
      name: name.slice("refs/heads/".length),
      commit: { sha, url: `${api}/commits/${sha}` },
      protected: false,
    }));
  return {
    id: status.id,
    sha,
    name: `${repository.owner.login}/${repository.name}`,
    avatar_url: accountView(world, status.creator).avatar_url,
    target_url: status.targetUrl,
    context: status.context,
    description: status.description,
    state: status.state,
    branches,
    created_at: status.createdAt,
    updated_at: status.createdAt,
    commit: {
      sha,
      node_id: `C_${sha}`,
      url: `${api}/commits/${sha}`,
      html_url: `${repositoryPage(world, repository)}/commit/${sha}`,
      comments_url: `${api}/commits/${sha}/comments`,
      author: null,
      committer: null,
      parents: [],
      commit: {
        author: someone,
        committer: someone,
        message: "",
        comment_count: 0,
        tree: { sha, url: `${api}/git/trees/${sha}` },
        url: `${api}/git/commits/${sha}`,
        verification: {
          verified: false,
          reason: "unsigned",
          payload: null,
          signature: null,
          verified_at: null,
        },
      },
    },
  };
}
