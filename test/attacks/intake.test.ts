import { createHmac } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDoor } from "../../src/control/door.ts";
import type { Door } from "../../src/control/door.ts";
import type { Delivery } from "../../src/domain/signal.ts";
import { registerWebhooks } from "../../src/intake/register-webhooks.ts";
import { serveWebhooks } from "../../src/intake/serve-webhooks.ts";
import { AppProcess } from "../support/app-process.ts";
import { TestLog } from "../support/test-log.ts";
import { World } from "../support/world.ts";

const MEGABYTE = 1024 * 1024;
const SECRET = "a secret";
const PATH = "/api/github/webhooks";

function headersFor(body: string | Buffer, secret = SECRET): Record<string, string> {
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  return {
    "content-type": "application/json",
    "x-github-event": "push",
    "x-github-delivery": "one",
    "x-hub-signature-256": `sha256=${signature}`,
  };
}

interface Sent {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly bytes: number;
}

/** Resolves to the status, or to what became of the connection. */
async function sendBytes({ url, headers, bytes }: Sent): Promise<number | string> {
  const outgoing = request(url, {
    method: "POST",
    headers: { ...headers, "content-length": String(bytes) },
  });
  const answer = new Promise<number | string>((resolve) => {
    outgoing.on("response", (response) => resolve(response.resume().statusCode ?? 0));
    outgoing.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    outgoing.on("close", () => resolve("closed"));
  });
  const chunk = Buffer.alloc(MEGABYTE / 4, " ");
  const seen = { answer: false };
  void answer.then(() => (seen.answer = true));
  for (let left = bytes; left > 0 && !seen.answer; left -= chunk.length) {
    const whole = outgoing.write(chunk.subarray(0, Math.min(left, chunk.length)));
    if (!whole) await Promise.race([once(outgoing, "drain").catch(() => undefined), answer]);
  }
  outgoing.end();
  return answer;
}

describe("2: bodies that nobody signed", () => {
  let world: World;
  let app: AppProcess;
  beforeEach(async () => {
    world = await World.create({ startApp: false });
    app = new AppProcess(world);
    await app.start();
  });
  afterEach(async () => {
    await app.kill();
    await world.close();
  });

  it("fifty of the largest size at once leave the server's memory flat, and GitHub is heard meanwhile", async () => {
    const before = await app.residentMegabytes();
    const headers = headersFor("another body");
    const flood = Array.from({ length: 50 }, () =>
      sendBytes({ url: app.webhookUrl, headers, bytes: 25 * MEGABYTE }),
    );
    let most = before;
    const flooded = { done: false };
    const all = Promise.all(flood).finally(() => (flooded.done = true));
    const body = JSON.stringify({ zen: "Keep it logically awesome." });
    const signed = headersFor(body, world.identity.webhookSecret);
    const heard: number[] = [];
    while (!flooded.done) {
      const { status } = await fetch(app.webhookUrl, { method: "POST", headers: signed, body });
      heard.push(status);
      most = Math.max(most, await app.residentMegabytes());
    }
    expect((await all).filter((end) => end === 200)).toEqual([]);
    expect(new Set(heard)).toEqual(new Set([200]));
    expect(most - before).toBeLessThan(250);
  });
});

describe("2 and 17: the door", () => {
  let door: Door;
  let url: string;
  let received: Delivery[];
  let receive: (delivery: Delivery) => Promise<void>;
  beforeEach(async () => {
    received = [];
    receive = (delivery) => {
      received.push(delivery);
      return Promise.resolve();
    };
    const log = new TestLog();
    const handlers = [
      serveWebhooks({ path: PATH, secret: SECRET, log, receive: (delivery) => receive(delivery) }),
    ];
    const longestRequestMs = 2_000;
    door = await openDoor({ host: "127.0.0.1", port: 0, log, handlers, longestRequestMs });
    url = `http://127.0.0.1:${door.port}${PATH}`;
  });
  afterEach(() => door.close());

  function post(body: string, headers = headersFor(body)): Promise<Response> {
    return fetch(url, { method: "POST", headers, body });
  }

  it("takes a signed body of the largest size", async () => {
    const body = Buffer.alloc(25 * MEGABYTE, " ");
    body.write("{}");
    const response = await fetch(url, { method: "POST", headers: headersFor(body), body });
    expect([response.status, received.length]).toEqual([200, 1]);
  });

  it("refuses a larger one at once, without waiting for its bytes", async () => {
    const outgoing = request(url, {
      method: "POST",
      headers: { ...headersFor(""), "content-length": String(25 * MEGABYTE + 1) },
    });
    outgoing.flushHeaders();
    const [response] = (await once(outgoing, "response")) as [{ statusCode: number }];
    expect(response.statusCode).toBe(413);
    outgoing.destroy();
  });

  it("refuses a body that does not say its length", async () => {
    const outgoing = request(url, { method: "POST", headers: headersFor("") });
    outgoing.write("{");
    const [response] = (await once(outgoing, "response")) as [{ statusCode: number }];
    expect(response.statusCode).toBe(411);
    outgoing.destroy();
  });

  it("hangs up on a body that comes too slowly", async () => {
    const socket = connect(door.port, "127.0.0.1");
    const lines = Object.entries(headersFor("")).map(([name, value]) => `${name}: ${value}`);
    socket.write(
      [`POST ${PATH} HTTP/1.1`, "host: here", "content-length: 1000", ...lines, "", "{"].join(
        "\r\n",
      ),
    );
    const trickle = setInterval(() => socket.write(" "), 500);
    let answer = "";
    socket.on("data", (data: Buffer) => (answer += data.toString()));
    socket.on("error", () => undefined);
    await once(socket, "close");
    clearInterval(trickle);
    expect(answer).toContain("408");
    expect(received).toEqual([]);
  });

  it.each([
    ["no JSON", "nonsense"],
    ["half of it", '{"action": "opened"'],
    ["nothing", ""],
    ["null", "null"],
    ["a number", "7"],
    ["a text", '"push"'],
    ["a list", "[]"],
    ["a repository that is a text", '{"repository": "octo/app"}'],
    ["a sender that is a list", '{"sender": ["ann"]}'],
    ["an organization with a number for a login", '{"organization": {"login": 7}}'],
    ["an installation that is a number", '{"installation": 3}'],
  ])("answers %s, signed, with a 4xx", async (_name, body) => {
    const { status } = await post(body);
    expect([status, received]).toEqual([422, []]);
  });

  it.each([
    '{"commits": "none"}',
    '{"commits": [null]}',
    '{"commits": [{"added": 3}]}',
    '{"ref": {}, "repository": {"full_name": 7, "default_branch": []}}',
    '{"action": {}, "comment": 5, "check_run": [], "requested_action": null}',
  ])("takes %s for what it is, whatever the event", async (body) => {
    const store = { addSignal: () => Promise.resolve("added") };
    const listeners: ((delivery: Delivery) => Promise<void>)[] = [];
    const probot = { on: (_events: unknown, take: (typeof listeners)[0]) => listeners.push(take) };
    const quiet = {
      now: () => 0,
      botLogin: "bot",
      configPath: "x",
      configChanged: () => undefined,
    };
    const wakes = {
      defaultBranchNamed: () => undefined,
      installationChanged: () => undefined,
      repos: { watched: () => [], wake: () => undefined },
    };
    registerWebhooks(probot as never, { store, ...quiet, ...wakes } as never);
    receive = async (delivery) => {
      for (const take of listeners) await take(delivery);
    };
    for (const event of ["push", "issue_comment", "check_run", "installation"]) {
      const { status } = await post(body, { ...headersFor(body), "x-github-event": event });
      expect([event, status]).toEqual([event, 200]);
    }
  });

  it.each([
    [405, "GET", {}],
    [415, "POST", { "content-type": "text/plain" }],
    [400, "POST", { "x-github-event": "" }],
    [400, "POST", { "x-hub-signature-256": "sha256=0" }],
  ])("answers %i to a %s with %j", async (status, method, changed) => {
    const headers = { ...headersFor("{}"), ...changed };
    const response = await fetch(url, {
      method,
      headers,
      ...(method === "POST" && { body: "{}" }),
    });
    expect([response.status, received]).toEqual([status, []]);
  });

  it("says 500 when it cannot be taken in: GitHub keeps it for the next sweep", async () => {
    receive = () => Promise.reject(new Error("the store is away"));
    expect((await post("{}")).status).toBe(500);
  });
});
