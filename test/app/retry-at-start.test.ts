import { describe, expect, it } from "vitest";
import { retryAtStart } from "../../src/app/retry-at-start.ts";
import { AppError } from "../../src/shared/app-error.ts";
import { TestClock } from "../support/test-clock.ts";
import { TestLog } from "../support/test-log.ts";

const silent = () => new AppError("github-unavailable", "no answer", { retryable: true });
const refused = () => new AppError("github-refused", "refused");

async function attempts(failures: number, failure: () => Error): Promise<number | string> {
  const clock = new TestClock();
  let tries = 0;
  const done = retryAtStart(
    () => {
      tries += 1;
      return tries <= failures ? Promise.reject(failure()) : Promise.resolve(tries);
    },
    { clock, log: new TestLog() },
  ).catch((error: unknown) => `${(error as AppError).code} after ${tries}`);
  await clock.advance(60_000);
  return done;
}

describe("retryAtStart", () => {
  it("tries again what may work later", async () => {
    expect(await attempts(3, silent)).toBe(4);
  });

  it("waits for as long as GitHub asks, however often, and says until when", async () => {
    const clock = new TestClock();
    const log = new TestLog();
    const wait = { retryable: true, retryAfterMs: 1_800_000 };
    let tries = 0;
    const limited = () => {
      tries += 1;
      return tries <= 8
        ? Promise.reject(new AppError("github-rate-limited", "GitHub's limit is reached", wait))
        : Promise.resolve("started");
    };
    const done = retryAtStart(limited, { clock, log });
    await clock.advance(1_799_000);
    expect(tries).toBe(1);
    expect(log.lines[0]?.fields).toMatchObject({
      pauseMs: 1_800_000,
      reason: expect.stringMatching(
        /^GitHub's limit is reached; asked to wait until \d{4}-\d\d-\d\d \d\d:\d\d UTC$/,
      ) as string,
    });
    await clock.advance(8 * 1_800_000);
    expect(await done).toBe("started");
  });

  it("gives up in the end, with what was wrong", async () => {
    expect(await attempts(100, silent)).toBe("github-unavailable after 6");
  });

  it("does not repeat what is refused", async () => {
    expect(await attempts(100, refused)).toBe("github-refused after 1");
  });
});
