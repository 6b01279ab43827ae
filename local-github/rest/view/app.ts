import { clientId } from "../../model/app.ts";
import type { App, Installation, InstallationToken } from "../../model/app.ts";
import { isoSeconds } from "../../model/world.ts";
import type { World } from "../../model/world.ts";
import { accountView } from "./account.ts";
import { repositoryView } from "./repository.ts";

export function appView(world: World, app: App) {
  const [installation] = world.installations;
  return {
    id: app.id,
    node_id: app.nodeId,
    slug: app.slug,
    client_id: clientId(app),
    owner: accountView(world, app.owner),
    name: app.name,
    description: null,
    external_url: world.url,
    html_url: `${world.url}/apps/${app.slug}`,
    created_at: app.createdAt,
    updated_at: app.createdAt,
    permissions: app.permissions ?? installation?.permissions ?? { metadata: "read" },
    events: app.events ?? installation?.events ?? [],
  };
}

export function installationView(world: World, installation: Installation) {
  const { account } = installation;
  const place = account.type === "Organization" ? `organizations/${account.login}/` : "";
  return {
    id: installation.id,
    account: accountView(world, account),
    repository_selection: installation.selection,
    access_tokens_url: `${world.url}/app/installations/${installation.id}/access_tokens`,
    repositories_url: `${world.url}/installation/repositories`,
    html_url: `${world.url}/${place}settings/installations/${installation.id}`,
    app_id: world.app.id,
    app_slug: world.app.slug,
    target_id: account.id,
    target_type: account.type,
    permissions: installation.permissions,
    events: installation.events,
    created_at: installation.createdAt,
    updated_at: installation.updatedAt,
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: null,
    suspended_at: installation.suspendedAt,
  };
}

export function tokenView(world: World, token: InstallationToken) {
  return {
    token: token.token,
    expires_at: isoSeconds(token.expiresAt),
    permissions: token.permissions,
    repository_selection:
      token.repositories === null ? token.installation.selection : ("selected" as const),
    ...(token.repositories === null
      ? {}
      : {
          repositories: token.repositories.map((repository) => repositoryView(world, repository)),
        }),
  };
}
