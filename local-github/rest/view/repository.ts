import { threadsOf } from "../../model/find.ts";
import { fullName } from "../../model/repository.ts";
import type { Repository } from "../../model/repository.ts";
import type { World } from "../../model/world.ts";
import { accountView } from "./account.ts";

export function repositoryApi(world: World, repository: Repository): string {
  return `${world.url}/repos/${fullName(repository)}`;
}

export function repositoryPage(world: World, repository: Repository): string {
  return `${world.url}/${fullName(repository)}`;
}

/** Shows the members that every description of a repository has. */
export function simpleRepositoryView(world: World, repository: Repository) {
  return {
    id: repository.id,
    node_id: repository.nodeId,
    name: repository.name,
    full_name: fullName(repository),
    owner: accountView(world, repository.owner),
    private: repository.isPrivate,
    html_url: repositoryPage(world, repository),
    description: null,
    fork: repository.forkOf !== null,
    url: repositoryApi(world, repository),
    ...links(repositoryApi(world, repository)),
  };
}

function links(api: string) {
  return {
    archive_url: `${api}/{archive_format}{/ref}`,
    assignees_url: `${api}/assignees{/user}`,
    blobs_url: `${api}/git/blobs{/sha}`,
    branches_url: `${api}/branches{/branch}`,
    collaborators_url: `${api}/collaborators{/collaborator}`,
    comments_url: `${api}/comments{/number}`,
    commits_url: `${api}/commits{/sha}`,
    compare_url: `${api}/compare/{base}...{head}`,
    contents_url: `${api}/contents/{+path}`,
    contributors_url: `${api}/contributors`,
    deployments_url: `${api}/deployments`,
    downloads_url: `${api}/downloads`,
    events_url: `${api}/events`,
    forks_url: `${api}/forks`,
    git_commits_url: `${api}/git/commits{/sha}`,
    git_refs_url: `${api}/git/refs{/sha}`,
    git_tags_url: `${api}/git/tags{/sha}`,
    hooks_url: `${api}/hooks`,
    issue_comment_url: `${api}/issues/comments{/number}`,
    issue_events_url: `${api}/issues/events{/number}`,
    issues_url: `${api}/issues{/number}`,
    keys_url: `${api}/keys{/key_id}`,
    labels_url: `${api}/labels{/name}`,
    languages_url: `${api}/languages`,
    merges_url: `${api}/merges`,
    milestones_url: `${api}/milestones{/number}`,
    notifications_url: `${api}/notifications{?since,all,participating}`,
    pulls_url: `${api}/pulls{/number}`,
    releases_url: `${api}/releases{/id}`,
    stargazers_url: `${api}/stargazers`,
    statuses_url: `${api}/statuses/{sha}`,
    subscribers_url: `${api}/subscribers`,
    subscription_url: `${api}/subscription`,
    tags_url: `${api}/tags`,
    teams_url: `${api}/teams`,
    trees_url: `${api}/git/trees{/sha}`,
  };
}

/** Shows a repository as webhooks, pull requests and installations do. */
export function repositoryView(world: World, repository: Repository) {
  const page = repositoryPage(world, repository);
  const open = threadsOf(world, repository).filter((thread) => thread.state === "open").length;
  return {
    ...simpleRepositoryView(world, repository),
    git_url: `git://${new URL(world.url).host}/${fullName(repository)}.git`,
    ssh_url: `git@localhost:${fullName(repository)}.git`,
    clone_url: `${page}.git`,
    svn_url: page,
    mirror_url: null,
    homepage: null,
    language: null,
    license: null,
    forks: 0,
    forks_count: 0,
    stargazers_count: 0,
    watchers: 0,
    watchers_count: 0,
    size: 0,
    default_branch: repository.defaultBranch,
    open_issues: open,
    open_issues_count: open,
    is_template: false,
    topics: [],
    has_issues: true,
    has_projects: true,
    has_wiki: false,
    has_pages: false,
    has_downloads: true,
    has_discussions: false,
    archived: false,
    disabled: false,
    visibility: repository.isPrivate ? "private" : "public",
    allow_forking: false,
    web_commit_signoff_required: false,
    created_at: repository.createdAt,
    updated_at: repository.updatedAt,
    pushed_at: repository.pushedAt,
  };
}

/** Shows a repository as `GET /repos/{owner}/{repo}` does. */
export function fullRepositoryView(world: World, repository: Repository) {
  return {
    ...repositoryView(world, repository),
    subscribers_count: 0,
    network_count: 0,
    allow_merge_commit: repository.mergeMethods.has("merge"),
    allow_squash_merge: repository.mergeMethods.has("squash"),
    allow_rebase_merge: repository.mergeMethods.has("rebase"),
    allow_auto_merge: false,
    allow_update_branch: true,
    delete_branch_on_merge: repository.deletesBranchOnMerge,
  };
}
