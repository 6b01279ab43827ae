import type { OperatorConfig } from "../config/schema.ts";
import type { RepoName } from "../domain/ids.ts";
import type { Run } from "../domain/run.ts";
import type { Notices } from "../notices.ts";
import type { ApiBudget, HeldBack } from "../ports/api-budget.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";

/** What the routes may look at. */
export interface ControlSource {
  readonly store: Store;
  readonly clock: Clock;
  readonly operator: OperatorConfig;
  readonly hostName: string;
  readonly notices: Pick<Notices, "of" | "ofServer" | "about">;
  watched(): readonly RepoName[];
  /** Runs under way on this host. */
  running(): readonly Run[];
  /** What is left of GitHub's API. */
  budgets(): readonly ApiBudget[];
  /** What people should see of the repository and do not see yet. */
  heldBack(repo: RepoName): readonly HeldBack[];
  /** Has the repository looked at soon. */
  wake(repo: RepoName): void;
}

export interface ControlRequest {
  readonly query: URLSearchParams;
  /** Aborted when the asker is gone or the app stops. */
  readonly signal: AbortSignal;
}

export type ControlAnswer =
  | { readonly kind: "json"; readonly body: unknown }
  /** One JSON value a line, as long as there are more. */
  | { readonly kind: "lines"; readonly lines: AsyncIterable<unknown> }
  | { readonly kind: "refused"; readonly reason: string };

/** One file for each, below `routes/`; `serve-control.ts` lists them. */
export interface Route {
  readonly method: "GET" | "POST";
  /** Below `/wavetrain/`. */
  readonly path: string;
  answer(request: ControlRequest, source: ControlSource): ControlAnswer | Promise<ControlAnswer>;
}
