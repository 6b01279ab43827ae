import type { Instant, RepoName } from "./ids.ts";

/** What a person said or pressed. Only where to look: what is true is read by the tick. */
export type SignalSubject =
  | { readonly kind: "comment"; readonly comment: string }
  /** A button of the check run on this commit. GitHub tells only in the webhook who pressed it. */
  | { readonly kind: "button"; readonly head: string; readonly button: string }
  /** By the command line, which holds the server's token. */
  | { readonly kind: "operator"; readonly say: string; readonly issue: number | undefined };

/** A hint from outside that something changed. `repo` is undefined for an organization's board. */
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
