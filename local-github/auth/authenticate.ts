import type { User } from "../model/account.ts";
import type { InstallationToken } from "../model/app.ts";
import { Problem } from "../model/problem.ts";
import type { World } from "../model/world.ts";
import { verifyAppJwt } from "./app-jwt.ts";
import type { Caller } from "./caller.ts";

/** Says who the caller is, as the `Authorization` header proves it. Wrong credentials are refused; having none is allowed. */
export function authenticate(world: World, header: string | undefined): Caller {
  if (header === undefined) return { kind: "anonymous" };
  const [scheme = "", credentials = ""] = header.split(" ", 2);
  const secret = scheme.toLowerCase() === "basic" ? passwordOf(credentials) : credentials;
  if (secret.split(".").length === 3 && !secret.startsWith("ghs_")) {
    verifyAppJwt(world, secret);
    return { kind: "app" };
  }
  const token = world.tokens.get(secret);
  if (token === undefined || token.expiresAt <= world.now()) {
    throw new Problem(401, "Bad credentials");
  }
  return { kind: "installation", token, actor: actorOf(token, world) };
}

function actorOf({ person }: InstallationToken, { app }: World): User {
  return person === undefined ? app.bot : person.user;
}

function passwordOf(basic: string): string {
  const text = Buffer.from(basic, "base64").toString("utf8");
  return text.slice(text.indexOf(":") + 1);
}
