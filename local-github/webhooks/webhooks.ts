import { createHmac, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Delivery } from "../model/delivery.ts";
import type { WorldEvent } from "../model/event.ts";
import { stamp } from "../model/world.ts";
import type { World } from "../model/world.ts";
import type { Faults } from "../wire/faults.ts";
import type { Observer } from "../wire/observer.ts";
import { payloadOf } from "./payload.ts";
import { post } from "./post.ts";
import { recipientOf } from "./recipients.ts";

/** A shuffled batch leaves after this long even when it is not full. */
const BATCH_WAIT_MS = 20;

/** Two that follow each other are the same as numbers of JavaScript: GitHub's ids have passed 2^53. */
const FIRST_ID = 9_007_199_254_800_000n;

/** Tells the App of every event here, once each and never again by itself, as GitHub does. */
export class Webhooks {
  readonly #world: World;
  readonly #faults: Faults;
  readonly #observer: Observer;
  readonly #underWay = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #waiting: Delivery[] = [];
  #lastId = FIRST_ID;

  constructor(parts: {
    readonly world: World;
    readonly faults: Faults;
    readonly observer: Observer;
  }) {
    this.#world = parts.world;
    this.#faults = parts.faults;
    this.#observer = parts.observer;
  }

  tell(event: WorldEvent): void {
    const payload = payloadOf(this.#world, event);
    const installation = recipientOf(this.#world, event, payload);
    if (installation === undefined) return;
    const { id, nodeId } = installation;
    const whole = { installation: { id, node_id: nodeId }, ...payload.body };
    this.#queue({
      ...this.#stored(event, JSON.stringify(whole)),
      installation,
      repositoryId: payload.repository?.id ?? null,
    });
  }

  /** Sends it again with the same guid under a new id; false when there is no such delivery. */
  redeliver(id: bigint): boolean {
    const original = this.#world.deliveries.find((delivery) => delivery.id === id);
    if (original === undefined) return false;
    this.#lastId += 1n;
    const again: Delivery = {
      ...original,
      id: this.#lastId,
      redelivery: true,
      createdAt: stamp(this.#world),
      outcome: { state: "pending" },
    };
    this.#world.deliveries.push(again);
    this.#send(again);
    return true;
  }

  /** Waits until every webhook so far was answered, timed out or lost. */
  async settled(): Promise<void> {
    this.#flush();
    while (this.#underWay.size > 0) {
      await Promise.all(this.#underWay);
      this.#flush();
    }
  }

  async close(): Promise<void> {
    this.#waiting = [];
    this.#stop.abort();
    await Promise.all(this.#underWay);
  }

  #stored(event: WorldEvent, body: string) {
    this.#lastId += 1n;
    const { app } = this.#world;
    const guid = randomUUID();
    const sign = (algorithm: string) =>
      `${algorithm}=${createHmac(algorithm, app.webhookSecret).update(body).digest("hex")}`;
    return {
      id: this.#lastId,
      guid,
      event: event.name,
      action: event.action,
      redelivery: false,
      createdAt: stamp(this.#world),
      outcome: { state: "pending" } as const,
      request: {
        body,
        headers: {
          accept: "*/*",
          "content-type": "application/json",
          "user-agent": "GitHub-Hookshot/local",
          "x-github-delivery": guid,
          "x-github-event": event.name,
          "x-github-hook-id": String(app.id),
          "x-github-hook-installation-target-id": String(app.id),
          "x-github-hook-installation-target-type": "integration",
          "x-hub-signature": sign("sha1"),
          "x-hub-signature-256": sign("sha256"),
        },
      },
    };
  }

  #queue(delivery: Delivery): void {
    const { headers, body } = delivery.request;
    this.#world.deliveries.push(delivery);
    this.#observer.webhook?.({ event: delivery.event, headers, payload: JSON.parse(body) });
    const { lose, copies, shuffle } = this.#faults.webhooks;
    if (lose > 0 && this.#faults.random() < lose) {
      delivery.outcome = { state: "lost" };
      return;
    }
    const all = Array.from({ length: copies }, () => delivery);
    if (shuffle <= 1) {
      for (const one of all) this.#send(one);
      return;
    }
    this.#waiting.push(...all);
    if (this.#waiting.length >= shuffle) this.#flush();
    else this.#track(delay(BATCH_WAIT_MS).then(() => this.#flush()));
  }

  #flush(): void {
    const batch = this.#waiting
      .map((delivery) => ({ delivery, luck: this.#faults.random() }))
      .sort((a, b) => a.luck - b.luck);
    this.#waiting = [];
    for (const { delivery } of batch) this.#send(delivery);
  }

  #send(delivery: Delivery): void {
    this.#track(this.#deliver(delivery));
  }

  async #deliver(delivery: Delivery): Promise<void> {
    const { delayMs, timeoutMs } = this.#faults.webhooks;
    if (delayMs > 0) await delay(Math.floor(this.#faults.random() * delayMs));
    const { webhookUrl } = this.#world.app;
    if (this.#stop.signal.aborted) return;
    delivery.outcome =
      webhookUrl === null
        ? { state: "failed", reason: "no webhook URL", durationMs: 0 }
        : await post(webhookUrl, delivery.request, { timeoutMs, stop: this.#stop.signal });
  }

  #track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
  }
}
