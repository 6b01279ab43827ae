import type { Caller } from "../../auth/caller.ts";
import type { Needed } from "../../auth/permission.ts";
import type { User } from "../../model/account.ts";
import type { InstallationToken } from "../../model/app.ts";
import type { Repository } from "../../model/repository.ts";
import type { World } from "../../model/world.ts";
import type { Faults } from "../../wire/faults.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  /** These bytes are sent as they are, instead of a JSON body. */
  readonly raw?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RestCall {
  readonly world: World;
  readonly faults: Faults;
  readonly caller: Caller;
  readonly method: string;
  /** It has no enterprise server's prefix. */
  readonly url: URL;
  readonly params: Readonly<Record<string, string>>;
  /** This is the `Accept` header. */
  readonly accept: string;
  /** This is the parsed JSON. */
  readonly body: unknown;
  /** Sends a stored delivery once more. */
  readonly redeliver: (deliveryId: bigint) => boolean;
}

export interface RepoCall extends RestCall {
  readonly repository: Repository;
  readonly token: InstallationToken;
  /** The App's bot acts. */
  readonly actor: User;
}

type Answering<Call> = (call: Call) => Answer | Promise<Answer>;

interface RouteName {
  readonly method: Method;
  /** It is written as in GitHub's description of its API. */
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

/** Makes a route below `/repos/{owner}/{repo}`. */
export function repoRoute(method: Method, path: string, route: RepoRoute): Route {
  return { for: "repository", method, template: `/repos/{owner}/{repo}${path}`, ...route };
}
