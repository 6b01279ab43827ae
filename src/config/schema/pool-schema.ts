import * as z from "zod";
import { duration, memorySize } from "./amounts.ts";

const count = (fallback: number, about: string) =>
  z.number().int().positive().default(fallback).describe(about);
const time = (fallback: string, about: string) => duration.prefault(fallback).describe(about);

const amounts = (scope: string) => ({
  tokens: z.number().int().positive().optional().describe(`Tokens ${scope}.`),
  usd: z.number().positive().optional().describe(`Dollars ${scope}.`),
  minutes: z.number().positive().optional().describe(`Minutes of runs ${scope}.`),
});

const budget = (scope: string) =>
  z
    .strictObject({
      perTask: z.strictObject(amounts("for one task")).prefault({}).describe("For one task."),
      perDay: z
        .strictObject(amounts(`a day, from 00:00 UTC, for all tasks of ${scope}`))
        .prefault({})
        .describe("For one day."),
    })
    .prefault({})
    .describe("What may be spent; no limit where left out.");

export const repoBudget = budget("this repository");

/** They say, besides `limits.attempts`, how often a task may come to nothing. */
export const failureLimits = {
  sameFailure: count(3, "The same failure in a row before a task is given up."),
  failures: z
    .strictObject({
      verify: count(3, "Changes that `verify` refused before a task is given up."),
      scope: count(2, "Changes outside the declared files before a task is given up."),
      noChanges: count(2, "Runs that changed nothing before a task is given up."),
      timeout: count(2, "Runs that took too long before a task is given up."),
      stall: count(3, "Runs without progress before a task is given up."),
      vanished: count(
        2,
        "Runs that were killed with what watches over them, while the server looked on, before a task is given up; they use up no attempt.",
      ),
      infrastructure: count(
        10,
        "Runs that the host, git or the network failed before a task is given up; they use up no attempt.",
      ),
    })
    .prefault({})
    .describe("Limits for each kind of failure."),
};

/** These keys of a runner say what its place in the pool is. */
export const runnerPlace = {
  sizes: z
    .array(z.enum(["s", "m", "l", "xl"]))
    .default([])
    .describe("Sizes of tasks that go to this runner when they name none."),
  fallback: z
    .array(z.string())
    .default([])
    .describe(
      "Runners that take its tasks, in this order, while it is paused or has no slot for long.",
    ),
  memory: memorySize
    .prefault(0)
    .describe("Memory that one run needs: none is started that would not have it."),
};

/** These are the operator's settings for the pool of runners. */
export const pool = {
  fallbackAfter: time("10m", "How long a task waits for a slot of its runner before a fallback."),
  minFreeMemory: memorySize
    .prefault("512MB")
    .describe("Memory of the host that stays free: nothing is started with less."),
  rest: z
    .strictObject({
      failures: count(
        3,
        "Runs of several tasks lost in a row within an hour before a runner rests.",
      ),
      first: time("1m", "First rest, also after a provider's limit with no known end."),
      longest: time("30m", "Longest rest; it doubles each time until then."),
    })
    .prefault({})
    .describe("When a runner that does not work is left alone."),
  budget: budget("all repositories"),
};

interface PlacedRunner {
  readonly fallback: readonly string[];
}

/** Says why the fallbacks of some runner cannot be used, with the place of the wrong name. */
export function fallbackProblems(
  runners: Readonly<Record<string, PlacedRunner>>,
): readonly { readonly path: readonly (string | number)[]; readonly message: string }[] {
  const names = Object.keys(runners);
  return Object.entries(runners).flatMap(([runner, { fallback }]) =>
    fallback.flatMap((other, at) => {
      if (other !== runner && names.includes(other)) return [];
      const others = names.filter((name) => name !== runner);
      const message =
        others.length === 0
          ? "there is no other runner"
          : `expected one of the other runners: ${others.join(", ")}`;
      return [{ path: ["runners", runner, "fallback", at], message }];
    }),
  );
}
