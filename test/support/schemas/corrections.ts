import type { JsonSchema } from "./openapi.ts";

/**
 * Answers whose description contradicts GitHub's own description of the same thing elsewhere, by operation and status.
 * In the list of installations an account would have to be a user and an enterprise at once; alone it is either.
 */
export const CORRECTED_ANSWERS: Readonly<Record<string, JsonSchema>> = {
  "GET /app/installations 200": {
    type: "array",
    items: { $ref: "#/components/schemas/installation" },
  },
};
