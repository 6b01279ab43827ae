import * as z from "zod";

/** `objectives` in `.github/wavetrain.yml` is about issues that are broken into tasks. */
export const objectives = z
  .strictObject({
    enabled: z
      .boolean()
      .default(true)
      .describe(
        "Breaks issues with the objective's label into tasks; otherwise they are left alone.",
      ),
    runner: z
      .string()
      .min(1)
      .optional()
      .describe("Runner that proposes the tasks; the one for other tasks if left out."),
    maxTasks: z
      .number()
      .int()
      .min(1)
      .max(50)
      .default(20)
      .describe("Most tasks that one objective is broken into."),
    column: z
      .string()
      .trim()
      .min(1)
      .default("Backlog")
      .describe(
        "Column of the project in which the tasks wait for a person; no column if there is none of that name.",
      ),
    adrFolder: z
      .string()
      .regex(/^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/, {
        error: "expected a folder of the repository, such as docs/adr",
      })
      .default("docs/adr")
      .describe("Folder for the decisions that come with the tasks."),
    close: z
      .boolean()
      .default(false)
      .describe("Closes the objective when all of its tasks have landed; otherwise a person does."),
  })
  .prefault({})
  .describe("Issues that are too big for one run.");
