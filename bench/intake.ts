import { createHmac, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { Probot, Server } from "probot";
import { openStore } from "../src/adapters/store/open-store.ts";
import { openDoor } from "../src/control/door.ts";
import { instant } from "../src/domain/ids.ts";
import type { Delivery } from "../src/domain/signal.ts";
import { registerWebhooks } from "../src/intake/register-webhooks.ts";
import { serveWebhooks } from "../src/intake/serve-webhooks.ts";
import { findLastingPort } from "../test/support/lasting-port.ts";

/** Rounds alternate, so that noise of the machine falls on both. */
const ROUNDS = 6;
const REQUESTS = 1_500;
const IN_FLIGHT = 100;
const SECRET = "a secret of the bench";
const PATH = "/api/github/webhooks";
const log = pino({ level: "fatal" });
const LEAST_RATIO = 0.5;
const MOST_P99_MS = 100;

interface Receiver {
  readonly name: string;
  readonly url: URL;
  stop(): Promise<void>;
}

interface Round {
  readonly perSecond: number;
  readonly latencies: readonly number[];
}

/** As large as an issue's webhook usually is. */
const payload = {
  action: "edited",
  repository: { full_name: "octo/app" },
  sender: { login: "ann" },
  issue: { body: "Lorem ipsum dolor sit amet. ".repeat(400) },
};
const BODY = JSON.stringify(payload);
const SIGNATURE = `sha256=${createHmac("sha256", SECRET).update(BODY).digest("hex")}`;

const folder = await mkdtemp(join(tmpdir(), "wavetrain-bench-"));
const store = await openStore({ path: folder, now: () => instant(Date.now()) });
const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
try {
  const receivers = [await bareHandler(), await ourDoor()];
  const rounds = receivers.map((): Round[] => []);
  for (const one of receivers) await play(one, REQUESTS / 5);
  for (let n = 0; n < ROUNDS; n += 1) {
    for (const [at, one] of receivers.entries()) rounds[at]?.push(await play(one, REQUESTS));
  }
  report(receivers, rounds);
  for (const one of receivers) await one.stop();
} finally {
  agent.destroy();
  await store.close();
  await rm(folder, { recursive: true });
}

/** Probot's own server with a handler that does nothing. */
async function bareHandler(): Promise<Receiver> {
  const port = await findLastingPort();
  const server = new Server({
    host: "127.0.0.1",
    port,
    log,
    Probot: Probot.defaults({ githubToken: "unused", secret: SECRET, log }),
  });
  await server.load((probot) => probot.on("issues", () => undefined));
  const listener = await server.start();
  return {
    name: "bare handler",
    url: new URL(`http://127.0.0.1:${port}${PATH}`),
    async stop() {
      listener.closeAllConnections();
      await server.stop();
    },
  };
}

async function ourDoor(): Promise<Receiver> {
  const probot = new Probot({ githubToken: "unused", secret: SECRET, log });
  await probot.ready();
  registerWebhooks(probot, {
    store,
    now: () => instant(Date.now()),
    botLogin: "wavetrain[bot]",
    configPath: ".github/wavetrain.yml",
    configChanged: () => undefined,
    defaultBranchNamed: () => undefined,
    isInstalledOn: () => true,
    unknownNamed: () => undefined,
    repoOfCard: () => undefined,
    isAwaited: () => false,
    installationChanged: () => undefined,
    repos: { watched: () => [], wake: () => undefined },
    wakeOthers: undefined,
  });
  const receive = (delivery: Delivery): Promise<void> =>
    probot.receive(delivery as unknown as Parameters<Probot["receive"]>[0]);
  const handlers = [serveWebhooks({ path: PATH, secret: SECRET, log, receive })];
  const door = await openDoor({ host: "127.0.0.1", port: 0, log, handlers });
  const url = new URL(`http://127.0.0.1:${door.port}${PATH}`);
  return { name: "durable signal", url, stop: () => door.close() };
}

async function play({ url }: Receiver, requests: number): Promise<Round> {
  const latencies: number[] = [];
  let left = requests;
  const client = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const sent = performance.now();
      await deliver(url);
      latencies.push(performance.now() - sent);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: IN_FLIGHT }, client));
  return { perSecond: (latencies.length / (performance.now() - started)) * 1000, latencies };
}

function deliver(url: URL): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(BODY),
      "x-github-event": "issues",
      "x-github-delivery": randomUUID(),
      "x-hub-signature-256": SIGNATURE,
    };
    const sent = request(url, { method: "POST", agent, headers }, (response) => {
      response.resume();
      response.once("end", () =>
        response.statusCode === 200
          ? resolve()
          : reject(new Error(`answered ${String(response.statusCode)}`)),
      );
    });
    sent.once("error", reject);
    sent.end(BODY);
  });
}

function report(receivers: readonly Receiver[], rounds: readonly (readonly Round[])[]): void {
  for (const [at, { name }] of receivers.entries()) {
    const own = rounds[at] ?? [];
    const all = own.flatMap(({ latencies }) => latencies);
    const rate = quantile(
      own.map(({ perSecond }) => perSecond),
      0.5,
    );
    const times = [0.5, 0.99].map((q) => `p${q * 100} ${quantile(all, q).toFixed(1)} ms`);
    console.log(
      `${name}: ${rate.toFixed(0)} webhooks/s (median of ${ROUNDS}), ${times.join(", ")}`,
    );
  }
  const [bare = [], durable = []] = rounds;
  const ratios = bare.map(({ perSecond }, n) => (durable[n]?.perSecond ?? 0) / perSecond);
  const ratio = quantile(ratios, 0.5);
  const p99 = quantile(
    durable.flatMap(({ latencies }) => latencies),
    0.99,
  );
  verdict(ratio >= LEAST_RATIO, `ratio ${ratio.toFixed(2)}, at least ${LEAST_RATIO} wanted`);
  verdict(
    p99 < MOST_P99_MS,
    `p99 ${p99.toFixed(1)} ms with ${IN_FLIGHT} in flight, under ${MOST_P99_MS} ms wanted`,
  );
}

function verdict(holds: boolean, words: string): void {
  console.log(`${holds ? "PASS" : "FAIL"} ${words}`);
}

function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(q * (sorted.length - 1))] ?? 0;
}
