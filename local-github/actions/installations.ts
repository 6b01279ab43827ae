import { randomBytes } from "node:crypto";
import type { User } from "../model/account.ts";
import type { Installation, InstallationToken, Permissions } from "../model/app.ts";
import { findAccount, repositoriesOf } from "../model/find.ts";
import { identity } from "../model/ids.ts";
import { Problem } from "../model/problem.ts";
import type { Repository } from "../model/repository.ts";
import { announce, register, stamp } from "../model/world.ts";
import type { World } from "../model/world.ts";

export interface NewInstallation {
  readonly account: string;
  readonly permissions: Permissions;
  readonly events: readonly string[];
  /** When not given, the App gets all of the account's repositories, also later ones. */
  readonly repositories?: readonly Repository[];
  readonly actor: User;
}

/** No two installations on GitHub share an id, and octokit relies on it: it asks for a token only once for each id. */
let lastInstallation = 50_000_000;

export function installApp(world: World, wanted: NewInstallation): Installation {
  const account = findAccount(world, wanted.account);
  if (account === undefined) throw new Error(`there is no account ${wanted.account}`);
  const installation: Installation = register(world, {
    kind: "installation",
    ...identity(world, "IN"),
    id: (lastInstallation += 1),
    account,
    permissions: { metadata: "read", ...wanted.permissions },
    events: wanted.events,
    selection: wanted.repositories === undefined ? "all" : "selected",
    selected: new Set(wanted.repositories),
    suspendedAt: null,
    createdAt: stamp(world),
    updatedAt: stamp(world),
  });
  world.installations.push(installation);
  announce(world, {
    name: "installation",
    action: "created",
    installation,
    sender: wanted.actor,
  });
  return installation;
}

export function addToInstallation(
  world: World,
  installation: Installation,
  wanted: { readonly repositories: readonly Repository[]; readonly actor: User },
): void {
  for (const repository of wanted.repositories) installation.selected.add(repository);
  installation.updatedAt = stamp(world);
  announce(world, {
    name: "installation_repositories",
    action: "added",
    installation,
    repositories: wanted.repositories,
    sender: wanted.actor,
  });
}

/**
 * Happens when the owner takes repositories out of the selection, or transfers them to someone who does not have the App.
 * @public
 */
export function removeFromInstallation(
  world: World,
  installation: Installation,
  wanted: { readonly repositories: readonly Repository[]; readonly actor: User },
): void {
  const left = repositoriesOf(world, installation).filter(
    (repository) => !wanted.repositories.includes(repository),
  );
  installation.selection = "selected";
  installation.selected.clear();
  for (const repository of left) installation.selected.add(repository);
  installation.updatedAt = stamp(world);
  announce(world, {
    name: "installation_repositories",
    action: "removed",
    installation,
    repositories: wanted.repositories,
    sender: wanted.actor,
  });
}

/** The account accepts what the App asks for since. Tokens of before allow what they allowed. */
export function acceptPermissions(
  world: World,
  installation: Installation,
  wanted: { readonly permissions: Permissions; readonly actor: User },
): void {
  installation.permissions = { ...installation.permissions, ...wanted.permissions };
  installation.updatedAt = stamp(world);
  announce(world, {
    name: "installation",
    action: "new_permissions_accepted",
    installation,
    sender: wanted.actor,
  });
}

/** The account takes the App's rights away for a while. */
export function suspendInstallation(world: World, installation: Installation): void {
  installation.suspendedAt = stamp(world);
  for (const [key, token] of world.tokens) {
    if (token.installation === installation) world.tokens.delete(key);
  }
}

/** The account takes the App out altogether. Installed again, it is another installation. */
export function uninstallApp(
  world: World,
  installation: Installation,
  { actor }: { readonly actor: User },
): void {
  for (const [key, token] of world.tokens) {
    if (token.installation === installation) world.tokens.delete(key);
  }
  announce(world, { name: "installation", action: "deleted", installation, sender: actor });
  world.installations.splice(world.installations.indexOf(installation), 1);
}

export interface TokenRequest {
  readonly permissions?: Permissions;
  readonly repositories?: readonly string[];
  readonly repositoryIds?: readonly number[];
}

const TOKEN_LIFETIME_MS = 60 * 60 * 1000;
const LEVELS = ["read", "write", "admin"];

/** Makes a token. It never allows more than the installation does: asking for more is refused, not trimmed. */
export function mintToken(
  world: World,
  installation: Installation,
  wanted: TokenRequest & { readonly lifetimeMs?: number },
): InstallationToken {
  if (installation.suspendedAt !== null) {
    throw new Problem(403, "This installation has been suspended");
  }
  for (const [name, level] of Object.entries(wanted.permissions ?? {})) {
    const granted = installation.permissions[name];
    if (granted === undefined || LEVELS.indexOf(level) > LEVELS.indexOf(granted)) {
      throw new Problem(422, "The permissions requested are not granted to this installation.");
    }
  }
  const token: InstallationToken = {
    // The token is longer than the old 40 characters, as GitHub's are since 2026: nothing may rely on the length.
    token: `ghs_${world.app.id}_${randomBytes(48).toString("base64url")}`,
    installation,
    permissions: { ...(wanted.permissions ?? installation.permissions), metadata: "read" },
    repositories: chosenRepositories(world, installation, wanted),
    expiresAt: world.now() + (wanted.lifetimeMs ?? TOKEN_LIFETIME_MS),
  };
  world.tokens.set(token.token, token);
  return token;
}

function chosenRepositories(
  world: World,
  installation: Installation,
  { repositories, repositoryIds }: TokenRequest,
): readonly Repository[] | null {
  if (repositories === undefined && repositoryIds === undefined) return null;
  const names = new Set(repositories?.map((name) => name.toLowerCase()));
  const ids = new Set(repositoryIds);
  const chosen = repositoriesOf(world, installation).filter(
    ({ name, id }) => names.has(name.toLowerCase()) || ids.has(id),
  );
  if (chosen.length < names.size + ids.size) {
    throw new Problem(
      422,
      "There is at least one repository that does not exist or is not accessible to the parent installation.",
    );
  }
  return chosen;
}

export function tokenRepositories(world: World, token: InstallationToken): readonly Repository[] {
  return token.repositories ?? repositoriesOf(world, token.installation);
}
