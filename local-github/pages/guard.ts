import { randomBytes, timingSafeEqual } from "node:crypto";
import type { HttpRequest, HttpResponse } from "../wire/http.ts";
import { formOf } from "./form.ts";

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Says whether the request names this machine. A foreign name that leads here must not read pages: their forms carry the token. */
export function isOwnHost({ headers }: HttpRequest): boolean {
  return LOOPBACK.has((headers["host"] ?? "").replace(/:\d+$/, ""));
}

/** Tells the person in front of the machine from the programs on it: only the person was given the key. */
export class Doorkeeper {
  /** The address has to carry it once, as `?key=…`. */
  readonly key = newSecret();
  /** Every form has to carry it. */
  readonly formToken = newSecret();
  readonly #session = newSecret();

  /** Lets someone in who has the key, and takes the key out of the address, because people show pages and histories around. */
  welcome({ method, url, headers }: HttpRequest): HttpResponse | undefined {
    const given = url.searchParams.get("key");
    if (method !== "GET" || given === null || !isSame(given, this.key)) return undefined;
    const cookie = `${cookieName(headers)}=${this.#session}; Path=/; HttpOnly; SameSite=Strict`;
    const answer = { location: url.pathname, "set-cookie": cookie, "cache-control": "no-store" };
    return { status: 303, headers: answer, body: Buffer.alloc(0) };
  }

  /** Says whether this is someone who came with the key. */
  knows({ headers }: HttpRequest): boolean {
    const name = `${cookieName(headers)}=`;
    const cookies = (headers["cookie"] ?? "").split(";").map((one) => one.trim());
    return cookies.some(
      (one) => one.startsWith(name) && isSame(one.slice(name.length), this.#session),
    );
  }

  /** Finds forms from another site: it can make a browser post here, but knows no token and cannot hide its origin. */
  isFromElsewhere(request: HttpRequest): boolean {
    const { origin, host } = request.headers;
    if (origin !== undefined && origin !== `http://${host ?? ""}`) return true;
    return !isSame(formOf(request).get("token") ?? "", this.formToken);
  }
}

/** Names the cookie after the port: cookies do not tell ports apart, and there may be two trials at once. */
function cookieName({ host = "" }: HttpRequest["headers"]): string {
  return `local-github-${/:(\d+)$/.exec(host)?.[1] ?? "80"}`;
}

function newSecret(): string {
  return randomBytes(24).toString("base64url");
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
