import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { createServer } from "node:https";
import type { Server } from "node:https";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AppProcess } from "../support/app-process.ts";
import { skip } from "../support/installed.ts";
import { World } from "../support/world.ts";

const folders = (process.env.PATH ?? "").split(delimiter);
const hasOpenssl = folders.some((folder) => existsSync(join(folder, "openssl")));
if (!hasOpenssl) skip("openssl", "it makes the certificate of a company's own");

let world: World;
let app: AppProcess;
let front: Server;

/** Answers by HTTPS, with a certificate that no machine trusts by itself, what the local GitHub answers. */
async function startFront(key: string, certificate: string): Promise<string> {
  const { port } = new URL(world.github.url);
  const pem = { key: await readFile(key), cert: await readFile(certificate) };
  front = createServer(pem, (incoming, response) => {
    const { method, url: path, headers } = incoming;
    const asked = request({ host: "127.0.0.1", port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    asked.on("error", () => response.destroy());
    incoming.pipe(asked);
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${(front.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  if (!hasOpenssl) return;
  world = await World.create({ startApp: false, github: { enterprise: true } });
  const [key, certificate] = [join(world.folder, "key.pem"), join(world.folder, "cert.pem")];
  const made = ["-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate];
  const name = ["-days", "2", "-subj", "/CN=front", "-addext", "subjectAltName=IP:127.0.0.1"];
  await execa("openssl", ["req", ...made, ...name]);
  app = new AppProcess(world, {
    GHE_HOST: await startFront(key, certificate),
    NODE_EXTRA_CA_CERTS: certificate,
    GIT_SSL_CAINFO: certificate,
  });
});
afterAll(async () => {
  if (!hasOpenssl) return;
  await app.stop();
  front.closeAllConnections();
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
