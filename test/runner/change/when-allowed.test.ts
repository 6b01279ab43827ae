import { describe, expect, it } from "vitest";
import type { Change } from "../../../src/domain/change.ts";
import type { Deps } from "../../../src/ports/deps.ts";
import { whenAllowed } from "../../../src/runner/change/when-allowed.ts";
import { AppError } from "../../../src/shared/app-error.ts";
import { aConfig } from "../../support/a-config.ts";
import { REPO, aTask } from "../../support/builders.ts";
import { TestClock } from "../../support/test-clock.ts";
import { TestLog } from "../../support/test-log.ts";

const CONTEXT = { repo: REPO, base: "main", config: aConfig() };
const BUDGET = new AppError(
  "github-rate-limited",
  "waits for the budget of writes until 12:00 UTC",
);
const ASKED = new AppError("github-rate-limited", "cannot open a pull request", {
  retryAfterMs: 60_000,
});

function aRunAtItsEnd() {
  const clock = new TestClock();
  const said: Change[] = [];
  const store = { record: (_: unknown, changes: Change[]) => void said.push(...changes) };
  const deps = { store, clock, log: new TestLog() } as unknown as Deps;
  const stop = new AbortController();
  const waiting = { context: CONTEXT, task: aTask(), proof: undefined, signal: stop.signal };
  let answer: AppError | number = BUDGET;
  const tries: number[] = [];
  const open = whenAllowed(
    () => {
      tries.push(clock.now());
      return typeof answer === "number" ? Promise.resolve(answer) : Promise.reject(answer);
    },
    waiting,
    deps,
  );
  return { clock, said, stop, open, tries, answers: (next: AppError | number) => (answer = next) };
}

describe("a pull request that the budget of writes holds back", () => {
  it("is opened when there is room again; until then the task says what it waits for, once", async () => {
    const { clock, said, open, answers } = aRunAtItsEnd();
    await clock.advance(40_000);
    expect(said).toMatchObject([
      { kind: "task-explained", reason: `opens its pull request later: ${BUDGET.message}` },
    ]);
    answers(11);
    await clock.advance(15_000);
    expect(await open).toBe(11);
    expect(said).toHaveLength(1);
  });

  it("is not tried before GitHub wants to be asked again", async () => {
    const { clock, open, tries, answers } = aRunAtItsEnd();
    answers(ASKED);
    await clock.advance(5_000);
    await clock.advance(59_000);
    expect(tries).toHaveLength(2);
    answers(11);
    await clock.advance(1_000);
    expect(await open).toBe(11);
  });

  it("is given up when the run is stopped", async () => {
    const { clock, open, stop } = aRunAtItsEnd();
    const ended = expect(open).rejects.toBe(BUDGET);
    await clock.advance(1_000);
    stop.abort();
    await ended;
    expect(clock.waiting).toEqual([]);
  });

  it("fails at once for any other reason", async () => {
    const { clock, open, answers } = aRunAtItsEnd();
    const refused = new AppError("github-refused", "no");
    const ended = expect(open).rejects.toBe(refused);
    await clock.settle();
    answers(refused);
    await clock.advance(15_000);
    await ended;
  });
});
