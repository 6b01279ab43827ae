import type { Instant, RepoName } from "./ids.ts";

/** Says where a person said or pressed something. The tick reads what is true from there. */
export type SignalSubject =
  | { readonly kind: "comment"; readonly comment: string }
  /** A person pressed a button of the check run on this commit. Only the webhook tells who pressed it. */
  | { readonly kind: "button"; readonly head: string; readonly button: string }
  /** The command line says it, and it holds the server's token. */
  | { readonly kind: "operator"; readonly say: string; readonly issue: number | undefined };

/** A signal hints from outside that something changed. `repo` is undefined for a card that was on no board when that was last read. */
export interface Signal {
  readonly deliveryId: string;
  readonly event: string;
  readonly action: string | undefined;
  readonly owner: string;
  readonly repo: RepoName | undefined;
  readonly receivedAt: Instant;
  readonly subject?: SignalSubject | undefined;
  readonly actor?: string | undefined;
}
/** These parts of a webhook matter to us: where it happened and who did it. The tick reads the facts. */
export interface Delivery {
  /** GitHub's guid is the same for every attempt to deliver it. */
  readonly id: string;
  readonly name: string;
  readonly payload: {
    readonly action?: unknown;
    readonly repository?:
      | {
          readonly full_name?: unknown;
          readonly default_branch?: unknown;
        }
      | null
      | undefined;
    readonly organization?: { readonly login?: string | undefined } | null | undefined;
    readonly account?: { readonly login?: unknown } | null | undefined;
    readonly installation?: object | null | undefined;
    readonly sender?: { readonly login?: string | undefined } | null | undefined;
    readonly comment?: unknown;
    readonly projects_v2_item?: unknown;
    readonly check_run?: unknown;
    readonly requested_action?: unknown;
  };
}
