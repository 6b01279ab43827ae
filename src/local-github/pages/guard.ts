import { timingSafeEqual } from "node:crypto";
import type { HttpRequest } from "../http.ts";
import { formOf } from "./form.ts";

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** A foreign name that resolves to this machine must not read pages: their forms carry the token. */
export function isOwnHost({ headers }: HttpRequest): boolean {
  return LOOPBACK.has((headers["host"] ?? "").replace(/:\d+$/, ""));
}

/** Another site can make a browser post here, but knows no token and cannot hide its origin. */
export function isFromElsewhere(request: HttpRequest, token: string): boolean {
  const { origin, host } = request.headers;
  if (origin !== undefined && origin !== `http://${host ?? ""}`) return true;
  const given = Buffer.from(formOf(request).get("token") ?? "");
  const wanted = Buffer.from(token);
  return given.length !== wanted.length || !timingSafeEqual(given, wanted);
}
