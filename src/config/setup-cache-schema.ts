import * as z from "zod";
import { DEFAULT_SHARED_FILES } from "../domain/claim/claim-rules.ts";
import { parseClaim } from "../domain/claim/parse-claim.ts";

const LOCKFILES = DEFAULT_SHARED_FILES.filter((pattern) => pattern !== "**/CHANGELOG.md");

const pattern = z.string().superRefine((text, context) => {
  const parsed = parseClaim(text);
  if (!parsed.ok) context.addIssue({ code: "custom", message: parsed.error.reason });
});

export const setupCache = z
  .strictObject({
    enabled: z
      .boolean()
      .default(true)
      .describe(
        "Runs `setup` once for the same key files and copies what it made, as far as git ignores it, into other workspaces. Turn it off for a `setup` that does more than that, such as starting a database.",
      ),
    keys: z
      .array(pattern)
      .default([...LOCKFILES, "**/requirements*.txt"])
      .describe(
        "Files that decide what `setup` makes. In a commit that has none of them `setup` runs every time.",
      ),
  })
  .prefault({})
  .describe("When what `setup` made may be used again.");
