import type { Account, Organization, User } from "./account.ts";
import type { Repository } from "./repository.ts";

export type PermissionLevel = "read" | "write" | "admin";
export type Permissions = Readonly<Record<string, PermissionLevel>>;

export interface App {
  readonly id: number;
  readonly nodeId: string;
  readonly slug: string;
  readonly name: string;
  readonly owner: Organization;
  readonly bot: User;
  /** It is in PEM format; an App's JWT is verified with it. */
  readonly publicKey: string;
  readonly webhookSecret: string;
  webhookUrl: string | null;
  /** The App asks for these; when undefined, it has those of its first installation. */
  permissions?: Permissions;
  events?: readonly string[];
  readonly createdAt: string;
}

/** Describes an App that a server asks for, as someone agreed to it. */
export interface AppManifest {
  readonly name: string;
  readonly webhookUrl: string | null;
  readonly permissions: Permissions;
  readonly events: readonly string[];
  readonly owner: Organization;
}

export function clientId(app: App): string {
  return `Iv1.${app.id}`;
}

export interface Installation {
  readonly kind: "installation";
  readonly id: number;
  readonly nodeId: string;
  readonly account: Account;
  permissions: Permissions;
  events: readonly string[];
  /** `all` follows the account: repositories added later are included. */
  selection: "all" | "selected";
  readonly selected: Set<Repository>;
  /** It is set while the account has the installation suspended; then it gets no token. */
  suspendedAt: string | null;
  readonly createdAt: string;
  updatedAt: string;
}

export interface InstallationToken {
  readonly token: string;
  readonly installation: Installation;
  readonly permissions: Permissions;
  /** It is `null` when the token was not narrowed: then the installation decides. */
  readonly repositories: readonly Repository[] | null;
  /** It is set for a person's classic token, which goes by scopes instead of permissions. */
  readonly person?: { readonly user: User; readonly scopes: readonly string[] };
  /** It is in milliseconds since the epoch. */
  expiresAt: number;
}
