import type { Delivery } from "../model/delivery.ts";
import { notFound } from "../model/problem.ts";
import type { RestCall, Route } from "./route.ts";
import { deliveryItemView, deliveryView } from "./view/delivery.ts";

const DEFAULT_SIZE = 30;

export const DELIVERY_ROUTES: readonly Route[] = [
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
];

/** Newest first; the cursor is the id of the last one seen. */
function listDeliveries(call: RestCall) {
  const { searchParams } = call.url;
  const size = Number(searchParams.get("per_page") ?? DEFAULT_SIZE);
  const cursor = searchParams.get("cursor");
  const wanted = searchParams.get("status");
  const all = call.world.deliveries
    .filter((delivery) => cursor === null || delivery.id < Number(cursor))
    .filter((delivery) => wanted === null || (wanted === "success") === succeeded(delivery))
    .toReversed();
  const items = all.slice(0, size);
  return { status: 200, body: items.map(deliveryItemView), headers: nextLink(call, all, items) };
}

function succeeded({ outcome }: Delivery): boolean {
  return outcome.state === "answered" && outcome.statusCode < 400;
}

function nextLink(call: RestCall, all: readonly Delivery[], items: readonly Delivery[]) {
  const last = items.at(-1);
  if (last === undefined || items.length === all.length) return {};
  const url = new URL(call.url);
  url.searchParams.set("cursor", String(last.id));
  return { link: `<${url.href}>; rel="next"` };
}

function deliveryIn({ world, params }: RestCall): Delivery {
  const delivery = world.deliveries.find(({ id }) => String(id) === params["delivery_id"]);
  if (delivery === undefined) throw notFound();
  return delivery;
}
