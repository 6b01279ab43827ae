import type { User } from "../model/account.ts";
import type { InstallationEvent } from "../model/event.ts";
import type { Repository } from "../model/repository.ts";
import type { World } from "../model/world.ts";
import { accountView } from "../rest/view/account.ts";
import { installationView } from "../rest/view/app.ts";
import type { Payload } from "./said.ts";

export function installationPayload(
  world: World,
  event: InstallationEvent & { readonly sender: User },
): Payload {
  const { installation } = event;
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

function brief(repository: Repository) {
  return {
    id: repository.id,
    node_id: repository.nodeId,
    name: repository.name,
    full_name: `${repository.owner.login}/${repository.name}`,
    private: repository.isPrivate,
  };
}
