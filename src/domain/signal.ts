import type { Instant, RepoName } from "./ids.ts";

/** A hint from outside that something changed. `repo` is undefined for an organization's board. */
export interface Signal {
  readonly deliveryId: string;
  readonly event: string;
  readonly action: string | undefined;
  readonly owner: string;
  readonly repo: RepoName | undefined;
  readonly receivedAt: Instant;
}
