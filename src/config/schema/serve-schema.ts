import * as z from "zod";

const pattern = z.string().regex(/^[A-Za-z0-9*][A-Za-z0-9*_-]*\/[A-Za-z0-9*._-]+$/, {
  error: "expected repositories as owner/name, where * stands for any characters but a slash",
});

/** An app is often installed on all repositories of an organization, and few of them are meant. */
export const serve = z
  .strictObject({
    allow: z
      .array(pattern)
      .default([])
      .describe("These take part without a file of their own, such as `acme/api` or `acme/*`."),
    deny: z
      .array(pattern)
      .default([])
      .describe("These are left alone, whatever else is said of them."),
  })
  .prefault({})
  .describe(
    "Which repositories take part besides those that have .github/wavetrain.yml on their default branch or are named in `repositories`.",
  );
