import type { Installation } from "../model/app.ts";
import type { WorldEvent } from "../model/event.ts";
import { repositoriesOf } from "../model/find.ts";
import type { World } from "../model/world.ts";
import type { Payload } from "./said.ts";

/** These are sent to every App, subscribed or not. */
const ALWAYS = new Set(["installation", "installation_repositories", "installation_target"]);

/** The payload of these needs an organization; nobody is told of a person's projects. */
const ORGANIZATIONS_ONLY = new Set(["issue_dependencies", "projects_v2", "projects_v2_item"]);

/** Finds the installation that hears of an event: the account's, if it covers the repository, subscribes and is not suspended. */
export function recipientOf(
  world: World,
  event: WorldEvent,
  payload: Payload,
): Installation | undefined {
  if (payload.about.kind !== "organization" && ORGANIZATIONS_ONLY.has(event.name)) return undefined;
  return world.installations.find(
    (installation) =>
      installation.account === payload.about &&
      installation.suspendedAt === null &&
      (ALWAYS.has(event.name) || installation.events.includes(event.name)) &&
      (payload.repository === null ||
        repositoriesOf(world, installation).includes(payload.repository)),
  );
}
