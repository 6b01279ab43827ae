import type { Delivery } from "../../model/delivery.ts";
import { notFound, Problem } from "../../model/problem.ts";
import type { RestCall, Route } from "../request/route.ts";
import { deliveryItemView, deliveryView } from "../view/delivery.ts";

const DEFAULT_SIZE = 30;
const MAX_INT64 = 2n ** 63n - 1n;
const KEPT_MS = 3 * 24 * 60 * 60 * 1000;
/** Cursors are opaque to clients: only one that came in a `Link` is good. */
const CURSOR = /^v1_(\d+)$/;

/** These routes show the App's own webhook and its deliveries. The webhook's secret is never shown, only whether there is one. */
export const HOOK_ROUTES: readonly Route[] = [
  { for: "app", method: "GET", template: "/app/hook/deliveries", answer: listDeliveries },
  {
    for: "app",
    method: "GET",
    template: "/app/hook/deliveries/{delivery_id}",
    answer: (call) => ({ status: 200, body: deliveryView(deliveryIn(call)) }),
  },
  {
    for: "app",
    method: "POST",
    template: "/app/hook/deliveries/{delivery_id}/attempts",
    answer: (call) => {
      call.redeliver(deliveryIn(call).id);
      return { status: 202, body: {} };
    },
  },
  {
    for: "app",
    method: "GET",
    template: "/app/hook/config",
    answer: ({ world: { app } }) => ({
      status: 200,
      body: {
        content_type: "json",
        insecure_ssl: "0",
        ...(app.webhookSecret === "" ? {} : { secret: "********" }),
        ...(app.webhookUrl === null ? {} : { url: app.webhookUrl }),
      },
    }),
  },
];

/** Lists the newest first; the cursor names the last one seen. */
function listDeliveries(call: RestCall) {
  const { searchParams } = call.url;
  const size = Number(searchParams.get("per_page") ?? DEFAULT_SIZE);
  const before = idIn(searchParams.get("cursor"));
  const wanted = searchParams.get("status");
  const all = keptDeliveries(call)
    .filter((delivery) => delivery.id < before)
    .filter((delivery) => wanted === null || (wanted === "success") === succeeded(delivery))
    .toReversed();
  const items = all.slice(0, size);
  return { status: 200, body: items.map(deliveryItemView), headers: nextLink(call, all, items) };
}

function idIn(cursor: string | null): bigint {
  if (cursor === null) return MAX_INT64;
  const id = CURSOR.exec(cursor)?.[1];
  if (id === undefined) throw new Problem(400, "Invalid cursor");
  return BigInt(id);
}

/** Lists the deliveries that GitHub still shows: one is there once it was tried, and forgotten after three days. */
function keptDeliveries({ world }: RestCall): readonly Delivery[] {
  const oldest = world.now() - KEPT_MS;
  const tried = world.deliveries.filter(({ outcome }) => outcome.state !== "pending");
  return tried.filter(({ createdAt }) => Date.parse(createdAt) >= oldest);
}

function succeeded({ outcome }: Delivery): boolean {
  return outcome.state === "answered" && outcome.statusCode < 400;
}

function nextLink(call: RestCall, all: readonly Delivery[], items: readonly Delivery[]) {
  const last = items.at(-1);
  if (last === undefined || items.length === all.length) return {};
  const url = new URL(call.url);
  url.searchParams.set("cursor", `v1_${last.id}`);
  return { link: `<${url.href}>; rel="next"` };
}

function deliveryIn(call: RestCall): Delivery {
  const wanted = call.params["delivery_id"];
  const delivery = keptDeliveries(call).find(({ id }) => String(id) === wanted);
  if (delivery === undefined) throw notFound();
  return delivery;
}
