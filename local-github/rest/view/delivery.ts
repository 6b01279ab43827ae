import type { Delivery } from "../../model/delivery.ts";

/** Shows a delivery as the list of deliveries does. */
export function deliveryItemView(delivery: Delivery) {
  const { outcome } = delivery;
  return {
    id: delivery.id,
    guid: delivery.guid,
    delivered_at: delivery.createdAt,
    redelivery: delivery.redelivery,
    duration: "durationMs" in outcome ? outcome.durationMs / 1000 : 0,
    status: statusWords(delivery),
    status_code: outcome.state === "answered" ? outcome.statusCode : 0,
    event: delivery.event,
    action: delivery.action,
    installation_id: delivery.installation?.id ?? null,
    repository_id: delivery.repositoryId,
    throttled_at: null,
  };
}

function statusWords({ outcome }: Delivery): string {
  switch (outcome.state) {
    case "pending":
      return "pending";
    case "lost":
      return "failed to connect to host";
    case "failed":
      return outcome.reason;
    case "answered":
      return outcome.statusCode < 400
        ? "OK"
        : "Invalid HTTP Response: " + String(outcome.statusCode);
  }
}

export function deliveryView(delivery: Delivery) {
  const { outcome, request } = delivery;
  return {
    ...deliveryItemView(delivery),
    request: {
      headers: request.headers,
      payload: JSON.parse(request.body) as Record<string, unknown>,
    },
    response: {
      headers: {},
      payload: outcome.state === "answered" ? outcome.body : null,
    },
  };
}
