import { agreeToManifest } from "./actions/app-manifests.ts";
import type { Organization } from "./model/account.ts";
import type { AppManifest, Permissions } from "./model/app.ts";
import { findOrganization } from "./model/find.ts";
import type { World } from "./model/world.ts";
import { jsonResponse } from "./wire/http.ts";
import type { HttpRequest, HttpResponse } from "./wire/http.ts";

const PLACE = /^(?:\/organizations\/([^/]+))?\/settings\/apps\/new$/;

export function isNewAppPath(path: string): boolean {
  return PLACE.test(path);
}

interface GivenManifest {
  readonly name?: string;
  readonly url: string;
  readonly redirect_url: string;
  readonly hook_attributes?: { readonly url: string; readonly active?: boolean };
  readonly default_permissions?: Permissions;
  readonly default_events?: readonly string[];
}

/** Serves the form with the manifest in it. Whoever sends it agrees at once, and is sent back to the server that asked. */
export function serveNewApp(world: World, { method, url, body }: HttpRequest): HttpResponse {
  const login = PLACE.exec(url.pathname)?.[1];
  const owner = login === undefined ? world.app.owner : findOrganization(world, login);
  const text = new URLSearchParams(body.toString("utf8")).get("manifest");
  if (method !== "POST" || owner === undefined || text === null) {
    return jsonResponse(404, { message: "Not Found" });
  }
  const given = JSON.parse(text) as GivenManifest;
  const code = agreeToManifest(world, manifestFrom(given, owner));
  const back = new URL(given.redirect_url);
  back.searchParams.set("code", code);
  const state = url.searchParams.get("state");
  if (state !== null) back.searchParams.set("state", state);
  return { status: 302, headers: { location: back.href }, body: Buffer.alloc(0) };
}

function manifestFrom(given: GivenManifest, owner: Organization): AppManifest {
  const { hook_attributes: hook, default_permissions: permissions = {} } = given;
  return {
    name: given.name ?? "app",
    webhookUrl: hook === undefined || hook.active === false ? null : hook.url,
    permissions: { metadata: "read", ...permissions },
    events: given.default_events ?? [],
    owner,
  };
}
