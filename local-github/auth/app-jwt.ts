import { createVerify } from "node:crypto";
import { clientId } from "../model/app.ts";
import { Problem } from "../model/problem.ts";
import type { World } from "../model/world.ts";

/** This is GitHub's limit plus a minute for clocks that differ. */
const MAX_LIFETIME_S = 10 * 60 + 60;

/** Accepts an App's JWT as GitHub does: RS256, the App's id or client id as issuer, at most ten minutes long. */
export function verifyAppJwt(world: World, jwt: string): void {
  const [header = "", payload = "", signature = ""] = jwt.split(".");
  if (claimsOf(header)["alg"] !== "RS256") throw undecodable();
  const verified = createVerify("RSA-SHA256")
    .update(`${header}.${payload}`)
    .verify(world.app.publicKey, Buffer.from(signature, "base64url"));
  if (!verified) throw undecodable();
  const claims = claimsOf(payload);
  const issuer = String(claims["iss"]);
  if (issuer !== String(world.app.id) && issuer !== clientId(world.app)) {
    throw new Problem(401, "'Issuer' claim ('iss') must be an Integer");
  }
  refuseTimes(Math.floor(world.now() / 1000), Number(claims["iat"]), Number(claims["exp"]));
}

function refuseTimes(now: number, iat: number, exp: number): void {
  if (Number.isNaN(exp) || exp <= now) {
    throw new Problem(
      401,
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    );
  }
  if (exp > now + MAX_LIFETIME_S) {
    throw new Problem(401, "'Expiration time' claim ('exp') is too far in the future");
  }
  if (Number.isNaN(iat) || iat > now + 60) {
    throw new Problem(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    );
  }
}

function claimsOf(part: string): Readonly<Record<string, unknown>> {
  try {
    const claims: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return typeof claims === "object" && claims !== null ? { ...claims } : {};
  } catch {
    // The text is not JSON, so it has no claims, and the caller refuses that.
    return {};
  }
}

function undecodable(): Problem {
  return new Problem(401, "A JSON web token could not be decoded");
}
