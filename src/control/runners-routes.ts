import { randomUUID } from "node:crypto";
import type { ControlAnswer, ControlSource, Route } from "./route.ts";
import { readRunners, repoOfPause } from "./runners-status.ts";
import type { RunnerStatus } from "./runners-status.ts";

/** `GET /wavetrain/runners` answers this. */
export interface RunnersAnswer {
  readonly at: number;
  readonly runners: readonly RunnerStatus[];
}

/** `POST /wavetrain/runners/lift` answers this. */
export interface LiftAnswer {
  readonly runner: string;
  /** This ended. */
  readonly paused: NonNullable<RunnerStatus["paused"]>;
}

const OPERATOR = "the operator";

/** Sends each runner with its slots, its pause and its last failure. */
export const getRunners: Route = {
  method: "GET",
  path: "runners",
  answer: async (_, source) => {
    const body: RunnersAnswer = { at: source.clock.now(), runners: await readRunners(source) };
    return { kind: "json", body };
  },
};

/** Ends the pause of a runner for every server on the same store. */
export const postLift: Route = {
  method: "POST",
  path: "runners/lift",
  answer: ({ query }, source) => lift(query.get("runner") ?? "", source),
};

async function lift(name: string, source: ControlSource): Promise<ControlAnswer> {
  const runners = await readRunners(source);
  const known = runners.find((runner) => runner.name === name);
  if (known === undefined) {
    const names = runners.map((runner) => runner.name).join(", ");
    return { kind: "refused", reason: `there is no runner ${name}; there are: ${names}` };
  }
  const repo = await repoOfPause(name, source);
  if (known.paused === null || repo === undefined)
    return { kind: "refused", reason: `${name} is not paused` };
  const at = source.clock.now();
  const made = { id: `operator:${randomUUID()}`, repo, runner: name, by: OPERATOR, at };
  await source.store.record(repo, [{ kind: "runner-lifted", lift: made }]);
  for (const watched of source.watched()) {
    source.fillSlots(watched);
    source.wakeOthers(watched);
  }
  const body: LiftAnswer = { runner: name, paused: known.paused };
  return { kind: "json", body };
}
