import type { Account, Organization, User } from "../../model/account.ts";
import type { World } from "../../model/world.ts";

export function accountView(world: World, account: Account) {
  const api = `${world.url}/users/${encodeURIComponent(account.login)}`;
  const kind = account.type === "Bot" ? "apps" : "";
  const page = [world.url, kind, encodeURIComponent(account.login.replace("[bot]", ""))];
  return {
    login: account.login,
    id: account.id,
    node_id: account.nodeId,
    avatar_url: `${world.url}/avatars/u/${account.id}?v=4`,
    gravatar_id: "",
    url: api,
    html_url: page.filter(Boolean).join("/"),
    followers_url: `${api}/followers`,
    following_url: `${api}/following{/other_user}`,
    gists_url: `${api}/gists{/gist_id}`,
    starred_url: `${api}/starred{/owner}{/repo}`,
    subscriptions_url: `${api}/subscriptions`,
    organizations_url: `${api}/orgs`,
    repos_url: `${api}/repos`,
    events_url: `${api}/events{/privacy}`,
    received_events_url: `${api}/received_events`,
    type: account.type,
    site_admin: false,
  };
}

/** Shows an account as anybody sees it, without what only a scope for e-mail and profile opens. */
export function publicUserView(world: World, user: User) {
  return {
    ...accountView(world, user),
    name: null,
    company: null,
    blog: null,
    location: null,
    email: null,
    hireable: null,
    bio: null,
    public_repos: [...world.repositories.values()].filter(({ owner }) => owner === user).length,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: user.createdAt,
    updated_at: user.createdAt,
  };
}

export function organizationView(world: World, organization: Organization) {
  const api = `${world.url}/orgs/${organization.login}`;
  return {
    login: organization.login,
    id: organization.id,
    node_id: organization.nodeId,
    url: api,
    repos_url: `${api}/repos`,
    events_url: `${api}/events`,
    hooks_url: `${api}/hooks`,
    issues_url: `${api}/issues`,
    members_url: `${api}/members{/member}`,
    public_members_url: `${api}/public_members{/member}`,
    avatar_url: `${world.url}/avatars/u/${organization.id}?v=4`,
    description: null,
  };
}
