import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Handler } from "../control/door.ts";
import type { Delivery } from "../domain/signal.ts";
import type { Log } from "../ports/log.ts";
import { MalformedDelivery, readDelivery } from "./read-delivery.ts";

/** GitHub sends no larger body. */
const MAX_BODY_BYTES = 25 * 1024 * 1024;
/** Nearly all bodies are a thousand times smaller than the largest and are received in a moment, so two of the largest are enough. */
const MAX_BYTES_OF_ALL_BODIES = 2 * MAX_BODY_BYTES;

export interface WebhookDoor {
  readonly path: string;
  readonly secret: string;
  readonly log: Log;
  readonly receive: (delivery: Delivery) => Promise<void>;
}

/** A request without a length, or with too large a one, is refused unread. No body is parsed before its signature is verified. */
export function serveWebhooks(door: WebhookDoor): Handler {
  const room = new BodyRoom(MAX_BYTES_OF_ALL_BODIES);
  return async (request, response) => {
    if (pathOf(request) !== door.path) return false;
    const refusal = refusalOf(request);
    if (refusal !== undefined) {
      refuse(response, ...refusal);
      return true;
    }
    const place = room.enter(() => request.destroy());
    try {
      await take({ request, response, place }, door);
    } finally {
      place.leave();
    }
    return true;
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly place: BodyPlace;
}

async function take(
  { request, response, place }: Exchange,
  { secret, receive, log }: WebhookDoor,
): Promise<void> {
  const body = await readSigned({ request, place }, secret);
  if (body === "gone") return;
  if (body === "forged") {
    refuse(response, 400, "the signature does not match the body and the app's secret");
    return;
  }
  const { "x-github-delivery": id, "x-github-event": name } = request.headers;
  try {
    await receive(readDelivery({ id: String(id), name: String(name), payload: parse(body) }));
    response.writeHead(200, { "content-type": "text/plain" }).end("ok\n");
  } catch (err) {
    const malformed = malformedIn(err);
    if (malformed === undefined) log.error({ err, delivery: id, event: name }, "webhook failed");
    else log.warn({ delivery: id, event: name, reason: malformed.message }, "webhook refused");
    // GitHub keeps deliveries that failed, so the next sweep takes this one in.
    if (malformed === undefined) refuse(response, 500, "not taken in; the server's log says why");
    else refuse(response, 422, malformed.message);
  }
}

type Refusal = readonly [status: number, reason: string];

const WANTED = ["x-github-event", "x-github-delivery", "x-hub-signature-256"];

function refusalOf(request: IncomingMessage): Refusal | undefined {
  const { method, headers } = request;
  if (method !== "POST") return [405, "webhooks are posted"];
  if (!/^\s*application\/json\s*(;|$)/i.test(headers["content-type"] ?? ""))
    return [415, "the webhook has to be sent as application/json"];
  const missing = WANTED.filter((name) => !headers[name]);
  if (missing.length > 0) return [400, `headers are missing: ${missing.join(", ")}`];
  const length = lengthOf(request);
  if (Number.isNaN(length)) return [411, "the length of the body has to be said first"];
  return length > MAX_BODY_BYTES
    ? [413, `no more than ${MAX_BODY_BYTES} bytes are taken`]
    : undefined;
}

function pathOf({ url }: IncomingMessage): string | undefined {
  return url?.split("?", 1)[0]?.replace(/\/+$/, "");
}

/** Returns NaN when the header is missing. */
function lengthOf({ headers }: IncomingMessage): number {
  return Number(headers["content-length"] ?? NaN);
}

async function readSigned(
  { request, place }: Pick<Exchange, "request" | "place">,
  secret: string,
): Promise<Buffer | "forged" | "gone"> {
  const hash = createHmac("sha256", secret);
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      place.add(chunk.length);
      hash.update(chunk);
      chunks.push(chunk);
    }
  } catch {
    return "gone";
  }
  const [said, is] = [
    Buffer.from(String(request.headers["x-hub-signature-256"])),
    Buffer.from(`sha256=${hash.digest("hex")}`),
  ];
  const isTrue = said.length === is.length && timingSafeEqual(said, is);
  return isTrue ? Buffer.concat(chunks) : "forged";
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new MalformedDelivery("the body is not JSON");
  }
}

/** Probot collects the errors of its handlers in one AggregateError. */
function malformedIn(error: unknown): MalformedDelivery | undefined {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  return errors.find((one) => one instanceof MalformedDelivery);
}

/** It closes the connection so that the rest of the body is not waited for. */
function refuse(response: ServerResponse, status: number, reason: string): void {
  if (response.destroyed) return;
  response.writeHead(status, { "content-type": "application/json", connection: "close" });
  response.end(JSON.stringify({ error: reason }));
}

/** It stands for one body that is being received. */
interface BodyPlace {
  add(bytes: number): void;
  leave(): void;
}

interface Held {
  bytes: number;
  readonly giveUp: () => void;
}

/** Limits the memory of all bodies that are being received. When they hold too much, the one that began first is given up. */
class BodyRoom {
  readonly #limit: number;
  readonly #held = new Set<Held>();
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  enter(giveUp: () => void): BodyPlace {
    const held: Held = { bytes: 0, giveUp };
    this.#held.add(held);
    return {
      add: (bytes) => {
        if (!this.#held.has(held)) return;
        held.bytes += bytes;
        this.#bytes += bytes;
        this.#makeRoom();
      },
      leave: () => this.#remove(held),
    };
  }

  #makeRoom(): void {
    for (const oldest of this.#held) {
      if (this.#bytes <= this.#limit) return;
      this.#remove(oldest);
      oldest.giveUp();
    }
  }

  #remove(held: Held): void {
    if (this.#held.delete(held)) this.#bytes -= held.bytes;
  }
}
