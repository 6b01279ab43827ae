import { age, duration } from "./duration.ts";

/** What the store keeps and for how long; part of the operator's file. */
export const storeKeys = {
  claimsStaleAfter: duration
    .refine((ms) => ms >= 1000, { error: "expected at least 1s" })
    .prefault("5m")
    .describe(
      "A run that gives no sign of life for this long is given up: it can no longer write, and its task is queued again.",
    ),
  keepEventsFor: age
    .prefault("90d")
    .describe("Events of tasks that ended longer ago are folded into one summary per task."),
  keepSignalsFor: age
    .prefault("7d")
    .describe(
      "Webhooks that were dealt with longer ago are forgotten; GitHub sends a delivery again for 3 days at most.",
    ),
};
