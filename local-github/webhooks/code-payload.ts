import type { Commit } from "../git/history.ts";
import { ZERO_SHA } from "../git/refs.ts";
import type { User } from "../model/account.ts";
import type { CommitStatus } from "../model/check.ts";
import type { CodeEvent, MergeGroupEvent, PushedCommit, RepositoryEvent } from "../model/event.ts";
import type { World } from "../model/world.ts";
import { accountView, organizationView } from "../rest/view/account.ts";
import { checkRunView } from "../rest/view/check.ts";
import { commitView } from "../rest/view/commit.ts";
import { labelView } from "../rest/view/label.ts";
import { repositoryApi, repositoryPage } from "../rest/view/repository.ts";
import type { Said } from "./said.ts";

export function codePayload(world: World, event: CodeEvent & { readonly sender: User }): Said {
  switch (event.name) {
    case "push":
      return { repository: event.repository, body: pushView(world, event) };
    case "status":
      return { repository: event.status.repository, body: statusEventView(world, event.status) };
    case "label":
      return { repository: event.label.repository, body: { label: labelView(world, event.label) } };
    case "repository":
      return { repository: event.repository, body: { changes: moveView(world, event) } };
    case "merge_group":
      return { repository: event.repository, body: mergeGroupView(event) };
    case "check_run":
      return {
        repository: event.run.suite.repository,
        body: {
          check_run: checkRunView(world, event.run),
          ...(event.action === "requested_action"
            ? { requested_action: { identifier: event.identifier } }
            : {}),
        },
      };
  }
}

function moveView(world: World, event: RepositoryEvent) {
  if (event.action === "renamed") return { repository: { name: { from: event.from } } };
  const { from } = event;
  return from.kind === "organization"
    ? { owner: { from: { organization: organizationView(world, from) } } }
    : { owner: { from: { user: accountView(world, from) } } };
}

function mergeGroupView(event: MergeGroupEvent) {
  const { group, baseRef } = event;
  const { tree, message, timestamp, author, committer } = group.commit;
  return {
    merge_group: {
      head_sha: group.headSha,
      head_ref: group.headRef,
      base_sha: group.baseSha,
      base_ref: baseRef,
      head_commit: {
        id: group.headSha,
        tree_id: tree,
        message,
        timestamp,
        author: { name: author.name, email: author.email },
        committer: { name: committer.name, email: committer.email },
      },
    },
    ...(event.action === "destroyed" && { reason: event.reason }),
  };
}

type Push = Extract<CodeEvent, { name: "push" }> & { readonly sender: User };

function pushView(world: World, push: Push) {
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

/** Shows a status. GitHub also shows the whole commit; here only its identity is shown, since nobody reads more. */
function statusEventView(world: World, status: CommitStatus) {
  const { repository, sha } = status;
  const commit = repositoryApi(world, repository) + `/commits/${sha}`;
  const branches = [...repository.refs]
    .filter(([name, tip]) => tip === sha && name.startsWith("refs/heads/"))
    .map(([name]) => ({
      name: name.slice("refs/heads/".length),
      commit: { sha, url: commit },
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
    commit: commitView(world, repository, unreadCommit(status)),
  };
}

function unreadCommit({ sha, createdAt }: CommitStatus): Commit {
  const someone = { name: "GitHub", email: "noreply@github.com", date: createdAt };
  return { sha, tree: sha, parents: [], message: "", author: someone, committer: someone };
}
