import * as z from "zod";
import type { Delivery } from "../domain/delivery.ts";

/** Our branches are called so, and nobody else's. */
const OUR_BRANCHES = "wavetrain/";

const failedCheck = z.object({
  check_run: z.object({
    conclusion: z.enum(["failure", "timed_out", "startup_failure"]),
    pull_requests: z.array(z.object({ head: z.object({ ref: z.string() }) })),
  }),
});

/** A check of someone's failed on a pull request of ours. Checks come by the hundred; none of the others is worth a look. */
export function isFailedCheck({ name, payload }: Delivery): boolean {
  if (name !== "check_run" || payload.action !== "completed") return false;
  const { success, data } = failedCheck.safeParse(payload);
  return (
    success && data.check_run.pull_requests.some(({ head }) => head.ref.startsWith(OUR_BRANCHES))
  );
}
