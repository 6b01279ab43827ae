import type { World } from "./model/world.ts";
import { jsonResponse } from "./wire/http.ts";
import type { HttpRequest, HttpResponse } from "./wire/http.ts";

const PLACE = /^\/job-logs\/([0-9a-f]+)$/;

export function isLogPath(path: string): boolean {
  return PLACE.test(path);
}

/** Serves a job's log to whoever has its address. A token that is sent along is refused. */
export function serveLog(world: World, { url, headers }: HttpRequest): HttpResponse {
  if (headers["authorization"] !== undefined) {
    return jsonResponse(400, {
      message: "Authentication information is not given in the correct format.",
    });
  }
  const link = world.logLinks.get(PLACE.exec(url.pathname)?.[1] ?? "");
  if (link === undefined || link.expiresAt <= world.now()) {
    return jsonResponse(403, { message: "Signature not valid in the specified time frame" });
  }
  return {
    status: 200,
    headers: { "content-type": "text/plain; charset=utf-8" },
    body: Buffer.from(link.log),
  };
}
