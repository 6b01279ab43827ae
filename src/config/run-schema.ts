import { z } from "zod";

/** What a repository says about runs, besides `setup` and `verify`. */
export const runKeys = {
  score: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Shell command for a task with several candidates: run after `verify`, it prints a number on its last line; the highest is taken.",
    ),
};
