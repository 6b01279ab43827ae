import { randomBytes } from "node:crypto";
import type { User } from "../model/account.ts";
import type { Installation, InstallationToken } from "../model/app.ts";
import { roleOf } from "../model/find.ts";
import { identity } from "../model/ids.ts";
import { stamp } from "../model/world.ts";
import type { World } from "../model/world.ts";

const LIFETIME_MS = 90 * 24 * 60 * 60 * 1000;

/** Makes a person's classic token. Its scopes say what it opens: `project` their projects, `repo` the private repositories they may read. */
export function makeClassicToken(
  world: World,
  user: User,
  scopes: readonly string[],
): InstallationToken {
  const token: InstallationToken = {
    token: `ghp_${randomBytes(18).toString("hex")}`,
    installation: ownBudget(world, user),
    permissions: { metadata: "read" },
    repositories: scopes.includes("repo")
      ? [...world.repositories.values()].filter((one) => roleOf(one, user) !== "none")
      : [],
    person: { user, scopes },
    expiresAt: world.now() + LIFETIME_MS,
  };
  world.tokens.set(token.token, token);
  return token;
}

/** Makes an installation that only carries a limit of the person's own; no webhook goes there. */
function ownBudget(world: World, account: User): Installation {
  return {
    kind: "installation",
    ...identity(world, "IN"),
    account,
    permissions: {},
    events: [],
    selection: "selected",
    selected: new Set(),
    createdAt: stamp(world),
    updatedAt: stamp(world),
    suspendedAt: null,
  };
}
