import type { Delivery } from "../domain/delivery.ts";
import type { Instant, RepoName } from "../domain/ids.ts";
import { isRepoName, ownerOf } from "../domain/ids.ts";
import type { Signal } from "../domain/signal.ts";
import { subjectOf } from "./subject-of.ts";

export function signalFromDelivery(delivery: Delivery, receivedAt: Instant): Signal | undefined {
  const { id, name, payload } = delivery;
  const repo = repoOf(payload.repository?.full_name);
  const owner = repo === undefined ? accountOf(payload) : ownerOf(repo);
  if (owner === undefined) return undefined;
  const action = typeof payload.action === "string" ? payload.action : undefined;
  const signal = { deliveryId: id, event: name, action, owner, repo, receivedAt };
  const subject = subjectOf(delivery);
  return subject === undefined ? signal : { ...signal, subject, actor: actorOf(payload) };
}

/** A name that is none of ours still has an owner: the hint is kept. */
function repoOf(fullName: unknown): RepoName | undefined {
  return typeof fullName === "string" && isRepoName(fullName) ? fullName : undefined;
}

/** Board events name their organization, installation events their account. */
function accountOf({ organization, installation }: Delivery["payload"]): string | undefined {
  if (organization?.login !== undefined) return organization.login;
  if (!installation || !("account" in installation)) return undefined;
  const { account } = installation;
  if (typeof account !== "object" || account === null || !("login" in account)) return undefined;
  return typeof account.login === "string" ? account.login : undefined;
}

function actorOf({ sender }: Delivery["payload"]): string | undefined {
  return typeof sender?.login === "string" ? sender.login : undefined;
}

/** Most of what is said on issues and by other people's checks is nothing to us. */
export function isNews({ event, subject }: Signal): boolean {
  return subject !== undefined || (event !== "issue_comment" && event !== "check_run");
}

/** Echoes of the app's own writes are stored like any signal but wake nobody. What GitHub's merge queue does with what we gave it is its own doing. */
export function isEcho({ name, payload }: Delivery, botLogin: string): boolean {
  return payload.sender?.login === botLogin && name !== "merge_group";
}
