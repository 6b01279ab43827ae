import type { Caller } from "../auth/caller.ts";
import type { Needed } from "../auth/permission.ts";
import type { Faults } from "../faults.ts";
import type { User } from "../model/account.ts";
import type { InstallationToken } from "../model/app.ts";
import type { Repository } from "../model/repository.ts";
import type { World } from "../model/world.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  /** Instead of a JSON body: bytes as they are. */
  readonly raw?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RestCall {
  readonly world: World;
  readonly faults: Faults;
  readonly caller: Caller;
  /** Without host and without an enterprise server's prefix. */
  readonly url: URL;
  readonly params: Readonly<Record<string, string>>;
  /** The `Accept` header. */
  readonly accept: string;
  /** Parsed JSON. */
  readonly body: unknown;
  /** Sends a stored delivery once more. */
  readonly redeliver: (deliveryId: number) => boolean;
}

export interface RepoCall extends RestCall {
  readonly repository: Repository;
  readonly token: InstallationToken;
  /** Who acts: the App's bot. */
  readonly actor: User;
}

type Answering<Call> = (call: Call) => Answer | Promise<Answer>;

interface RouteName {
  readonly method: Method;
  /** As in GitHub's description of its API. */
  readonly template: string;
}

export type Route = RouteName &
  (
    | { readonly for: "anyone"; readonly answer: Answering<RestCall> }
    | { readonly for: "app"; readonly answer: Answering<RestCall> }
    | {
        readonly for: "installation";
        readonly answer: Answering<RestCall & { readonly token: InstallationToken }>;
      }
    | {
        readonly for: "repository";
        readonly needs: Needed;
        readonly answer: Answering<RepoCall>;
      }
  );

interface RepoRoute {
  readonly needs: Needed;
  readonly answer: Answering<RepoCall>;
}

/** A route below `/repos/{owner}/{repo}`. */
export function repoRoute(method: Method, path: string, route: RepoRoute): Route {
  return { for: "repository", method, template: `/repos/{owner}/{repo}${path}`, ...route };
}
