import type { Account } from "../model/account.ts";
import type { Repository } from "../model/repository.ts";

/** Holds the body of an event in a repository, before the members that all such events have. */
export interface Said {
  readonly repository: Repository;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Holds the body of a webhook, and the account and repository that it is about. */
export interface Payload {
  readonly about: Account;
  readonly repository: Repository | null;
  readonly body: Readonly<Record<string, unknown>>;
}
