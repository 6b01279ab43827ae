import type { Account, Organization } from "../../model/account.ts";
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
