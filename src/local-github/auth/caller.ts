import type { User } from "../model/account.ts";
import type { InstallationToken } from "../model/app.ts";

/** Who sent a request, as its credentials prove it. */
export type Caller =
  | { readonly kind: "anonymous" }
  | { readonly kind: "app" }
  | { readonly kind: "installation"; readonly token: InstallationToken; readonly actor: User };
