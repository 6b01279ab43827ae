import type { Account } from "../model/account.ts";
import type { Repository } from "../model/repository.ts";

/** What an event in a repository says, before the members that all such events have. */
export interface Said {
  readonly repository: Repository;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What a webhook says, and about whose account and repository. */
export interface Payload {
  readonly about: Account;
  readonly repository: Repository | null;
  readonly body: Readonly<Record<string, unknown>>;
}
