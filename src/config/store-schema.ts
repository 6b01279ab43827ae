import { z } from "zod";
import { postgresUrl } from "./postgres-url.ts";

/** Where the store is. */
export const storeSchema = z
  .strictObject({
    url: postgresUrl("expected a postgres:// address")
      .optional()
      .describe(
        "Address of a PostgreSQL database, `postgres://user@host/database`, for more than one server; a file in `dataDir` if left out.",
      ),
  })
  .prefault({})
  .describe("What the app remembers, and where.");
