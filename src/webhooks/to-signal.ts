import type { Delivery } from "../domain/delivery.ts";
import type { Instant, RepoName } from "../domain/ids.ts";
import { isRepoName, ownerOf } from "../domain/ids.ts";
import type { Signal } from "../domain/signal.ts";

export function signalFromDelivery(delivery: Delivery, receivedAt: Instant): Signal | undefined {
  const { id, name, payload } = delivery;
  const repo = repoOf(payload.repository?.full_name);
  const owner = repo === undefined ? accountOf(payload) : ownerOf(repo);
  if (owner === undefined) return undefined;
  const action = typeof payload.action === "string" ? payload.action : undefined;
  return { deliveryId: id, event: name, action, owner, repo, receivedAt };
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

/** Echoes of the app's own writes are stored like any signal but wake nobody. */
export function isEcho(delivery: Delivery, botLogin: string): boolean {
  return delivery.payload.sender?.login === botLogin;
}
