import * as z from "zod";
import { duration } from "./amounts.ts";

const count = (fallback: number, about: string) =>
  z.number().int().positive().default(fallback).describe(about);

const check = z.string().trim().min(1);

/** `train` in `.github/wavetrain.yml`: how approved changes come to the base branch. */
export const trainSchema = z
  .strictObject({
    landing: z
      .enum(["auto", "fast-forward", "merge-api", "merge-queue"])
      .default("auto")
      .describe(
        "How the base branch is moved: `fast-forward` to exactly the verified commit, by GitHub's `merge-api`, or by its `merge-queue`; `auto` reads the branch's rules.",
      ),
    approvals: count(
      1,
      "Approvals that a pull request needs; the branch's rules may ask for more.",
    ),
    approvingBots: z
      .array(z.string().trim().min(1))
      .default([])
      .describe("Bots whose approval counts like a person's, by login."),
    batch: count(8, "Most changes that are verified and landed together."),
    window: count(1, "Batches that are verified at the same time, each on top of the one before."),
    checks: z
      .array(check)
      .default([])
      .describe(
        "Checks that must succeed on the candidate before it lands, by name, or `name@123` for those of the app with that id.",
      ),
    checksTimeout: duration
      .prefault("1h")
      .describe("How long to wait for `checks`, or for one that nobody reports."),
    minVerifyTime: duration
      .prefault("0s")
      .describe("A verification that succeeds sooner than this does not count."),
  })
  .prefault({})
  .describe("How approved changes land.");
