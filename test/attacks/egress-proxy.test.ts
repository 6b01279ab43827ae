import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { IncomingMessage, Server } from "node:http";
import { connect, createServer as listenRaw } from "node:net";
import type { AddressInfo, Server as RawServer, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createEgressProxy,
  createRefusals,
} from "../../src/adapters/sandbox/egress/egress-proxy.ts";
import { parseHostRule } from "../../src/domain/network/network.ts";
import fc from "../support/fast-check.ts";

let folder: string;
let proxy: Server;
let opened: { close: () => unknown; closeAllConnections?: () => void }[] = [];
let sockets: Socket[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wavetrain-proxy-"));
  // Every port of this host's loopback is named: what is tried here is whether the proxy lives on.
  const everyPort = { includes: () => true } as unknown as readonly number[];
  const rules = ["*.example", "127.0.0.0/8"].flatMap((text) => {
    const rule = parseHostRule(text);
    return rule.ok ? [{ ...rule.value, ports: everyPort }] : [];
  });
  proxy = createEgressProxy({
    rules,
    own: () => [],
    refused: () => undefined,
    resolve: () => Promise.resolve(["127.0.0.1"]),
  });
  proxy.listen(join(folder, "s"));
  await once(proxy, "listening");
  opened = [proxy];
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of opened) {
    server.close();
    server.closeAllConnections?.();
  }
  await rm(folder, { recursive: true });
});

async function upstream(server: Server | RawServer): Promise<number> {
  server.listen(0, "127.0.0.1");
  opened.push(server);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

function open(): Socket {
  const socket = connect(join(folder, "s"));
  socket.on("error", () => undefined);
  sockets.push(socket);
  return socket;
}

/** However it came about. */
function closed(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => socket.once("close", resolve));
}

async function say(text: string | Uint8Array): Promise<string> {
  const socket = open();
  const parts: Buffer[] = [];
  socket.on("data", (data: Buffer) => parts.push(data));
  socket.write(text);
  await closed(socket);
  return Buffer.concat(parts).toString("latin1");
}

const get = (url: string, headers = ""): string =>
  `GET ${url} HTTP/1.1\r\nHost: other.example\r\n${headers}Connection: close\r\n\r\n`;

async function stillServes(): Promise<void> {
  const port = await upstream(createServer((_, response) => response.end("well")));
  expect(await say(get(`http://127.0.0.1:${port}/`))).toContain("well");
}

describe("egress: the proxy of a run", () => {
  it("tells the other side the host that was judged, and no word that was for the proxy", async () => {
    let heard: IncomingMessage | undefined;
    const server = createServer((request, response) => {
      heard = request;
      response.end("ok");
    });
    const port = await upstream(server);
    const headers =
      "Proxy-Authorization: Basic x\r\nProxy-Connection: keep-alive\r\nX-Kept: yes\r\n";
    expect(await say(get(`http://some.example:${port}/a?b=c`, headers))).toContain("200 OK");
    expect(heard?.url).toBe("/a?b=c");
    expect(heard?.headers).toEqual({
      host: `some.example:${port}`,
      connection: "close",
      "x-kept": "yes",
    });
  });

  it("passes bodies in both directions", async () => {
    const server = createServer((request, response) => void request.pipe(response));
    const port = await upstream(server);
    const body = "x".repeat(300_000);
    const head = `POST http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
    const plain = await say(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
    expect(plain.match(/x{1000,}/g)?.join("").length).toBeGreaterThan(250_000);
    const echo = await upstream(
      listenRaw({ allowHalfOpen: true }, (socket) => void socket.pipe(socket)),
    );
    const client = connect({ path: join(folder, "s"), allowHalfOpen: true });
    sockets.push(client);
    client.write(`CONNECT 127.0.0.1:${echo} HTTP/1.1\r\n\r\n`);
    await once(client, "data");
    let heard = 0;
    client.on("data", (data: Buffer) => (heard += data.length));
    client.end(body);
    await once(client, "end");
    expect(heard).toBe(body.length);
  });

  it("refuses headers without end, whole and drop by drop, and serves others meanwhile", async () => {
    expect(await say(get("http://127.0.0.1:1/", `X: ${"a".repeat(100_000)}\r\n`))).toMatch(
      /^HTTP\/1.1 4/,
    );
    proxy.headersTimeout = 400;
    const slow = open();
    slow.write("CONNECT 127.0.0.1:443 HTTP/1.1\r\n");
    const drops = setInterval(() => slow.write("X: y\r\n"), 50);
    await stillServes();
    await closed(slow);
    clearInterval(drops);
  });

  it("keeps a bounded number of connections, and serves again when they are gone", async () => {
    const many = Array.from({ length: 400 }, open);
    const gone = await Promise.race([
      Promise.all(many.slice(300).map((socket) => closed(socket))).then(() => "the rest"),
      delay(20_000),
    ]);
    expect(gone).toBe("the rest");
    const alive = await new Promise<number>((resolve) =>
      proxy.getConnections((_, count) => resolve(count)),
    );
    expect(alive).toBeLessThanOrEqual(256);
    for (const socket of many) socket.destroy();
    await expect
      .poll(() => new Promise((resolve) => proxy.getConnections((_, count) => resolve(count))))
      .toBe(0);
    await stillServes();
  });

  it("holds little of what nobody reads", async () => {
    let sent = 0;
    const flood = listenRaw((socket) => {
      socket.on("error", () => undefined);
      const more = (): void => {
        if (socket.destroyed) return;
        sent += 65_536;
        if (socket.write(Buffer.alloc(65_536))) setImmediate(more);
        else socket.once("drain", more);
      };
      more();
    });
    const port = await upstream(flood);
    const client = open();
    client.pause();
    client.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`);
    await expect.poll(() => sent, { timeout: 10_000 }).toBeGreaterThan(0);
    let before = -1;
    while (before !== sent) {
      before = sent;
      await delay(300);
    }
    expect(sent).toBeLessThan(32 * 1024 ** 2);
  });

  it("outlives whatever is said to it", async () => {
    const words = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc
        .tuple(
          fc.constantFrom("GET", "CONNECT", "POST", "TRACE", "\0"),
          fc.string({ unit: "binary", maxLength: 60 }),
          fc.constantFrom("HTTP/1.1", "HTTP/0.9", "HTTP/2.0", ""),
        )
        .map(([method, target, version]) =>
          Buffer.from(`${method} ${target} ${version}\r\nTransfer-Encoding: x\r\n\r\n`),
        ),
      fc
        .string({ unit: "binary", maxLength: 40 })
        .map((path) => Buffer.from(get(`http://127.0.0.1:9/${path}`), "latin1")),
    );
    await fc.assert(
      fc.asyncProperty(words, async (bytes) => {
        const socket = open();
        socket.end(bytes);
        socket.resume();
        await closed(socket);
      }),
      { numRuns: 300, seed: 12 },
    );
    await stillServes();
  });

  it.each([
    "HTTP/1.1 200 \x01\x02\r\n\r\n",
    "HTTP/1.1 999 Odd\r\nContent-Length: 3\r\n\r\nabc",
    "HTTP/1.1 099 Odd\r\n\r\n",
    "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
    "HTTP/1.1 200 OK\r\nX: \x7f\xff\r\nConnection: X\r\nContent-Length: 1\r\n\r\nabcdef",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "garbage",
    "",
  ])("outlives a host that answers %j", async (words) => {
    const server = listenRaw((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.end(words, "latin1"));
    });
    const port = await upstream(server);
    await say(get(`http://127.0.0.1:${port}/`));
    await stillServes();
  });
});

describe("egress: what was refused, in the log", () => {
  it("is told once each, on one line, whatever it is called, and not for ever", () => {
    const lines: string[] = [];
    const refused = createRefusals((line) => lines.push(line));
    refused("a.example:443", "is not named");
    refused("a.example:443", "is not named");
    refused(`b\n{"type":"result"}\u001b[2J\u202eé`, "is not of the form host:port");
    expect(lines).toEqual([
      "wavetrain: network: refused a.example:443: is not named",
      `wavetrain: network: refused b?{"type":"result"}?[2J?: is not of the form host:port`,
    ]);
    for (let at = 0; at < 1000; at += 1) refused(`h${at}.example:443`, "is not named");
    expect(lines).toHaveLength(101);
    expect(lines.at(-1)).toBe("wavetrain: network: what else is refused is not listed");
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(400);
  });
});
