import type { User } from "../model/account.ts";
import type { InstallationEvent, WorldEvent } from "../model/event.ts";
import type { World } from "../model/world.ts";
import { accountView, organizationView } from "../rest/view/account.ts";
import { repositoryView } from "../rest/view/repository.ts";
import { codePayload } from "./code-payload.ts";
import { installationPayload } from "./installation-payload.ts";
import { projectPayload } from "./project-payload.ts";
import { pullPayload } from "./pull-payload.ts";
import type { Payload, Said } from "./said.ts";
import { commentPayload, issuePayload, relationPayload } from "./thread-payload.ts";

/** Makes the body of the webhook that tells of an event. */
export function payloadOf(world: World, event: WorldEvent): Payload {
  if (event.name === "projects_v2" || event.name === "projects_v2_item") {
    return projectPayload(world, event);
  }
  if (isAboutInstallation(event)) {
    return installationPayload(world, event);
  }
  return inRepository(
    world,
    event,
    isAboutCode(event) ? codePayload(world, event) : conversation(world, event),
  );
}

type AboutInstallation = InstallationEvent & { readonly sender: User };

function isAboutInstallation(event: WorldEvent): event is AboutInstallation {
  return event.name.startsWith("installation");
}

type AboutCode = Extract<
  WorldEvent,
  { name: "push" | "check_run" | "status" | "label" | "merge_group" | "repository" }
>;

function isAboutCode(event: WorldEvent): event is AboutCode {
  return ["push", "check_run", "status", "label", "merge_group", "repository"].includes(event.name);
}

type Conversation = Extract<
  WorldEvent,
  {
    name:
      | "issues"
      | "issue_comment"
      | "pull_request"
      | "pull_request_review"
      | "issue_dependencies"
      | "sub_issues";
  }
>;

function conversation(world: World, event: Conversation): Said {
  switch (event.name) {
    case "issues":
      return issuePayload(world, event);
    case "issue_comment":
      return commentPayload(world, event);
    case "pull_request":
    case "pull_request_review":
      return pullPayload(world, event);
    case "issue_dependencies":
    case "sub_issues":
      return relationPayload(world, event);
    default:
      return assertNever(event);
  }
}

/** Marks a branch that the types rule out. */
function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}

function inRepository(world: World, event: WorldEvent, said: Said): Payload {
  const { repository } = said;
  const { owner } = repository;
  return {
    about: owner,
    repository,
    body: {
      ...(event.action === null ? {} : { action: event.action }),
      ...said.body,
      repository: repositoryView(world, repository),
      ...(owner.kind === "organization" ? { organization: organizationView(world, owner) } : {}),
      sender: accountView(world, event.sender),
    },
  };
}
