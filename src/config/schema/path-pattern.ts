import * as z from "zod";
import { parseClaim } from "../../domain/claim/parse-claim.ts";

/** It takes a pattern as the Files of a task are written. */
export const pattern = z.string().superRefine((text, context) => {
  const parsed = parseClaim(text);
  if (!parsed.ok) context.addIssue({ code: "custom", message: parsed.error.reason });
});

/** It takes a pattern that stands for files and nothing else: whoever wrote `read:` or `!` would find that nothing matches. */
export const filePattern = z.string().superRefine((text, context) => {
  const parsed = parseClaim(text);
  const modeless = parsed.ok && parsed.value.mode !== "write";
  const reason = modeless ? "expected a path or pattern without read: or !" : undefined;
  const message = parsed.ok ? reason : parsed.error.reason;
  if (message !== undefined) context.addIssue({ code: "custom", message });
});
