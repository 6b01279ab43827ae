import type { OperatorConfig } from "../config/schema/operator-config.ts";
import type { RepoName } from "../domain/ids.ts";
import type { Run } from "../domain/run.ts";
import type { ApiBudget, HeldBack } from "../ports/api-budget.ts";
import type { Clock } from "../ports/clock.ts";
import type { Files, Host } from "../ports/host.ts";
import type { Notices } from "../ports/notices.ts";
import type { PoolEvents } from "../ports/pool-events.ts";
import type { Store } from "../ports/store.ts";

/** The routes may look at these things. */
export interface ControlSource {
  readonly store: Store;
  readonly clock: Clock;
  readonly operator: OperatorConfig;
  readonly hostName: string;
  readonly notices: Pick<Notices, "of" | "ofServer" | "about">;
  readonly pool: Pick<PoolEvents, "queues">;
  readonly host: Pick<Host, "environment" | "logPath">;
  readonly files: Pick<Files, "readPart">;
  watched(): readonly RepoName[];
  /** It lists the runs under way on this host. */
  running(): readonly Run[];
  /** It says what is left of GitHub's API. */
  budgets(): readonly ApiBudget[];
  /** It lists the reports that people should see on GitHub and do not see yet. */
  heldBack(repo: RepoName): readonly HeldBack[];
  /** It has the repository looked at soon. */
  wake(repo: RepoName): void;
  /** It has the repository start what it can, here and on the other servers of the store. */
  fillSlots(repo: RepoName): void;
  wakeOthers(repo: RepoName): void;
}

export interface ControlRequest {
  readonly query: URLSearchParams;
  /** It is aborted when the asker is gone or the app stops. */
  readonly signal: AbortSignal;
}

export type ControlAnswer =
  | { readonly kind: "json"; readonly body: unknown }
  /** One JSON value is sent a line, as long as there are more. */
  | { readonly kind: "lines"; readonly lines: AsyncIterable<unknown> }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "refused"; readonly reason: string };

/** Each route has a file of its own; `serve-control.ts` lists them. */
export interface Route {
  readonly method: "GET" | "POST";
  /** It is relative to `/wavetrain/`. */
  readonly path: string;
  answer(request: ControlRequest, source: ControlSource): ControlAnswer | Promise<ControlAnswer>;
}
