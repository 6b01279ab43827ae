import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AppProcess } from "../support/app-process.ts";
import { hasProgram } from "../support/installed.ts";
import { startTlsFront } from "../support/tls-front.ts";
import type { TlsFront } from "../support/tls-front.ts";
import { World } from "../support/world.ts";

const hasOpenssl = hasProgram("openssl");

let world: World;
let app: AppProcess;
let front: TlsFront;

beforeAll(async () => {
  if (!hasOpenssl) return;
  world = await World.create({ startApp: false, github: { enterprise: true } });
  front = await startTlsFront(world.github.url, world.folder);
  app = new AppProcess(world, {
    GHE_HOST: front.host,
    NODE_EXTRA_CA_CERTS: front.certificate,
    GIT_SSL_CAINFO: front.certificate,
  });
});
afterAll(async () => {
  if (!hasOpenssl) return;
  await app.stop();
  front.close();
  await world.close();
});

describe.runIf(hasOpenssl)("an enterprise server with a certificate of its own", () => {
  it("is trusted by the app and by git when both are told so", async () => {
    await app.start();
    world.approveEverything();
    await world.addTask({ id: "one", files: ["src/one.txt"] });
    world.moveToReady("one");
    await world.untilColumn("Done", "one");
    expect(await world.git("show", "main:src/one.txt")).toBe("one");
  });
});
