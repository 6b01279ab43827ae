import type { User } from "../model/account.ts";
import type { InstallationToken } from "../model/app.ts";

/** Says who sent a request, as its credentials prove it. */
export type Caller =
  | { readonly kind: "anonymous" }
  | { readonly kind: "app" }
  | { readonly kind: "installation"; readonly token: InstallationToken; readonly actor: User };

/** Names the one whose limits a request counts against, in the words of GitHub's refusals. */
export function payerOf(caller: Caller): string {
  return caller.kind === "installation" ? ownerOf(caller.token) : caller.kind;
}

/** Names the owner of a token. All tokens of an installation draw on the same limits. */
export function ownerOf({ installation, person }: InstallationToken): string {
  return person ? `user ID ${person.user.id}` : `installation ID ${installation.id}`;
}
