import * as z from "zod";
import { age, duration } from "./duration.ts";
import { postgresUrl } from "./postgres-url.ts";

/** Where the store is, what it keeps and for how long; part of the operator's file. */
export const storeKeys = {
  store: z
    .strictObject({
      url: postgresUrl("expected a postgres:// address")
        .optional()
        .describe(
          "Address of a PostgreSQL database, `postgres://user@host/database`, for more than one server; a file in `dataDir` if left out.",
        ),
    })
    .prefault({})
    .describe("Where the app keeps what it must not forget."),
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
