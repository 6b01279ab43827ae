import { generateKeyPairSync, randomBytes } from "node:crypto";
import type { App, AppManifest } from "../model/app.ts";
import { identity } from "../model/ids.ts";
import { register, stamp } from "../model/world.ts";
import type { World } from "../model/world.ts";
import { newBot } from "./create-world.ts";

/** Records that someone agrees to the making of an App. Their server exchanges the code for the App, once. */
export function agreeToManifest(world: World, manifest: AppManifest): string {
  const code = randomBytes(20).toString("hex");
  world.manifests.set(code, manifest);
  return code;
}

interface MadeApp {
  readonly app: App;
  readonly pem: string;
  readonly clientSecret: string;
}

/** Makes the App. There is only one App here, so the new one takes the place of the one before. */
export function convertManifest(world: World, code: string): MadeApp | undefined {
  const manifest = world.manifests.get(code);
  if (manifest === undefined) return undefined;
  world.manifests.delete(code);
  const { publicKey, privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  const slug = manifest.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  const bot = newBot(identity(world, "BOT"), slug, stamp(world));
  world.accounts.set(bot.login.toLowerCase(), register(world, bot));
  const { name, owner, webhookUrl, permissions, events } = manifest;
  world.app = {
    ...identity(world, "A"),
    slug,
    name,
    owner,
    bot,
    publicKey,
    webhookUrl,
    permissions,
    events,
    webhookSecret: randomBytes(20).toString("hex"),
    createdAt: stamp(world),
  };
  return { app: world.app, pem: privateKey, clientSecret: randomBytes(20).toString("hex") };
}
