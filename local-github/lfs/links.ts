import { randomBytes } from "node:crypto";
import type { LfsLink } from "../model/repository.ts";
import type { World } from "../model/world.ts";
import { jsonResponse } from "../wire/http.ts";
import type { HttpRequest, HttpResponse } from "../wire/http.ts";
import { findObject, keepObject, nameOf, readObject } from "./objects.ts";

const STORAGE = /^\/lfs-storage\/([0-9a-f]+)$/;
const LIFETIME_S = 3600;
const SCHEME = "RemoteAuth ";

export interface LfsAction {
  readonly href: string;
  readonly header?: Readonly<Record<string, string>>;
  readonly expires_in: number;
}

/** Makes an address of the storage, which is another host on GitHub: the token of the repository is not for it. */
export function linkTo(world: World, link: Omit<LfsLink, "expiresAt">): LfsAction {
  const key = randomBytes(24).toString("hex");
  world.lfsLinks.set(key, { ...link, expiresAt: world.now() + LIFETIME_S * 1000 });
  const href = `${world.url.replace("127.0.0.1", "localhost")}/lfs-storage/${key}`;
  const header = link.use === "verify" ? { header: { Authorization: `${SCHEME}${key}` } } : {};
  return { href, ...header, expires_in: LIFETIME_S };
}

export function isStoragePath(path: string): boolean {
  return STORAGE.test(path);
}

/** Takes and gives objects by address alone, and refuses whoever sends a token along. */
export async function serveStorage(world: World, request: HttpRequest): Promise<HttpResponse> {
  const key = STORAGE.exec(request.url.pathname)?.[1] ?? "";
  const link = world.lfsLinks.get(key);
  const proof = link?.use === "verify" ? `${SCHEME}${key}` : undefined;
  if (request.headers["authorization"] !== proof)
    return jsonResponse(400, { message: "Only one auth mechanism allowed" });
  if (link === undefined || link.expiresAt <= world.now())
    return jsonResponse(403, { message: "Request has expired" });
  switch (`${request.method} ${link.use}`) {
    case "GET download":
      return download(link);
    case "PUT upload":
      return upload(link, request);
    case "POST verify":
      return verify(link);
    default:
      return jsonResponse(405, { message: "Method Not Allowed" });
  }
}

async function download({ repository, object }: LfsLink): Promise<HttpResponse> {
  const body = await readObject(repository, object);
  if (body === undefined) return jsonResponse(404, { message: "Not Found" });
  return { status: 200, headers: { "content-type": "application/octet-stream" }, body };
}

async function upload(
  { repository, object }: LfsLink,
  { body }: HttpRequest,
): Promise<HttpResponse> {
  const { oid, size } = nameOf(body);
  if (oid !== object.oid || size !== object.size)
    return jsonResponse(400, { message: "The provided checksum does not match the content" });
  await keepObject(repository, body);
  return { status: 200, headers: {}, body: Buffer.alloc(0) };
}

async function verify({ repository, object }: LfsLink): Promise<HttpResponse> {
  const found = await findObject(repository, object);
  return found === undefined
    ? jsonResponse(404, { message: "Not Found" })
    : jsonResponse(200, object);
}
