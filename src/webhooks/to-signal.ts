import type { Instant, RepoName } from "../domain/ids.ts";
import { ownerOf, repoName } from "../domain/ids.ts";
import type { Signal } from "../domain/signal.ts";

/** What of a webhook matters to us: where it happened and who did it. Facts are read by the tick. */
export interface Delivery {
  readonly id: string;
  readonly name: string;
  readonly payload: {
    readonly action?: unknown;
    readonly repository?: { readonly full_name?: string };
    readonly organization?: { readonly login?: string };
    readonly installation?: object;
    readonly sender?: { readonly login?: string };
  };
}

export function signalFromDelivery(delivery: Delivery, receivedAt: Instant): Signal | undefined {
  const { id, name, payload } = delivery;
  const repo = repoOf(payload.repository?.full_name);
  const owner = repo === undefined ? accountOf(payload) : ownerOf(repo);
  if (owner === undefined) return undefined;
  const action = typeof payload.action === "string" ? payload.action : undefined;
  return { deliveryId: id, event: name, action, owner, repo, receivedAt };
}

function repoOf(fullName: string | undefined): RepoName | undefined {
  return fullName === undefined ? undefined : repoName(fullName);
}

/** Board events name their organization, installation events their account. */
function accountOf({ organization, installation }: Delivery["payload"]): string | undefined {
  if (organization?.login !== undefined) return organization.login;
  if (installation === undefined || !("account" in installation)) return undefined;
  const { account } = installation;
  if (typeof account !== "object" || account === null || !("login" in account)) return undefined;
  return typeof account.login === "string" ? account.login : undefined;
}

/** Echoes of the app's own writes are stored like any signal but wake nobody. */
export function isEcho(delivery: Delivery, botLogin: string): boolean {
  return delivery.payload.sender?.login === botLogin;
}
