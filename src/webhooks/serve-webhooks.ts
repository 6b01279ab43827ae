import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Handler } from "../http/door.ts";
import type { Log } from "../ports/log.ts";
import type { Delivery } from "../domain/delivery.ts";
import { BodyRoom } from "./body-room.ts";
import type { BodyPlace } from "./body-room.ts";
import { MalformedDelivery, readDelivery } from "./read-delivery.ts";

/** GitHub's own limit. */
const LARGEST_BODY = 25 * 1024 * 1024;
/** Nearly all are a thousand times smaller than the largest, and there and gone in a moment. */
const ALL_BODIES = 2 * LARGEST_BODY;

export interface WebhookDoor {
  readonly path: string;
  readonly secret: string;
  readonly log: Log;
  readonly receive: (delivery: Delivery) => Promise<void>;
}

/** Nothing of a request is kept that has no length or too much of it, and nothing is read as text before its signature is found true. */
export function serveWebhooks(door: WebhookDoor): Handler {
  const room = new BodyRoom(ALL_BODIES);
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
    // GitHub keeps what failed: the next sweep takes it in.
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
  return length > LARGEST_BODY ? [413, `no more than ${LARGEST_BODY} bytes are taken`] : undefined;
}

function pathOf({ url }: IncomingMessage): string | undefined {
  return url?.split("?", 1)[0]?.replace(/\/+$/, "");
}

/** NaN where none is said. */
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

/** Probot puts what its handlers throw together. */
function malformedIn(error: unknown): MalformedDelivery | undefined {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  return errors.find((one) => one instanceof MalformedDelivery);
}

/** The rest of the body is not waited for. */
function refuse(response: ServerResponse, status: number, reason: string): void {
  if (response.destroyed) return;
  response.writeHead(status, { "content-type": "application/json", connection: "close" });
  response.end(JSON.stringify({ error: reason }));
}
