import type { User } from "../model/account.ts";
import type { InstallationEvent } from "../model/event.ts";
import type { Repository } from "../model/repository.ts";
import type { World } from "../model/world.ts";
import { accountView, organizationView } from "../rest/view/account.ts";
import { installationView } from "../rest/view/app.ts";
import type { Payload } from "./said.ts";

export function installationPayload(
  world: World,
  event: InstallationEvent & { readonly sender: User },
): Payload {
  const { installation } = event;
  if (event.name === "installation_target") return targetPayload(world, event);
  const base = {
    action: event.action,
    installation: installationView(world, installation),
    sender: accountView(world, event.sender),
  };
  const more =
    event.name === "installation"
      ? {}
      : {
          repository_selection: installation.selection,
          repositories_added: event.action === "added" ? event.repositories.map(brief) : [],
          repositories_removed: event.action === "removed" ? event.repositories.map(brief) : [],
          requester: null,
        };
  return { about: installation.account, repository: null, body: { ...base, ...more } };
}

type TargetEvent = Extract<InstallationEvent, { name: "installation_target" }>;

function targetPayload(
  world: World,
  { installation, from, sender }: TargetEvent & { readonly sender: User },
): Payload {
  const { account, id, nodeId } = installation;
  const body = {
    action: "renamed",
    account: accountView(world, account),
    changes: { login: { from } },
    installation: { id, node_id: nodeId },
    target_type: account.type,
    ...(account.kind === "organization" && { organization: organizationView(world, account) }),
    sender: accountView(world, sender),
  };
  return { about: account, repository: null, body };
}

function brief(repository: Repository) {
  return {
    id: repository.id,
    node_id: repository.nodeId,
    name: repository.name,
    full_name: `${repository.owner.login}/${repository.name}`,
    private: repository.isPrivate,
  };
}
