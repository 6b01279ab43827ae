import { describe, expect, it } from "vitest";
import {
  GITHUB_LIMITS,
  NO_LIMITS,
} from "../../../../src/adapters/github/connection/decide-when.ts";
import { usually } from "../../../../src/adapters/github/connection/kind-of-write.ts";
import type { Weighed } from "../../../../src/adapters/github/connection/kind-of-write.ts";
import { RequestPace } from "../../../../src/adapters/github/connection/request-pace.ts";
import type { WriteKind } from "../../../../src/ports/api-budget.ts";
import { AppError } from "../../../../src/shared/app-error.ts";
import { deferred } from "../../../support/deferred.ts";
import { TestClock } from "../../../support/test-clock.ts";

const QUERY: Weighed = { api: "graphql", kind: "read", content: false };

/** Notes what goes and when, in milliseconds from the start. */
/** Whatever a write is about, ten may go at once. */
const LIMITS = { ...GITHUB_LIMITS, keptForWork: 0 };

function started(limits = LIMITS) {
  const clock = new TestClock();
  const start = clock.now();
  const pace = new RequestPace(clock, limits);
  const sent: (readonly [name: string, at: number])[] = [];
  const refused: AppError[] = [];
  const ask = (request: Weighed, name: string): void => {
    const work = () => Promise.resolve(void sent.push([name, clock.now() - start]));
    void pace.send(request, work).catch((error: unknown) => {
      if (error instanceof AppError) refused.push(error);
    });
  };
  const write = (kind: WriteKind, times = 1): void => {
    for (let n = 0; n < times; n += 1) ask(usually(kind), kind);
  };
  return { clock, start, pace, sent, refused, ask, write };
}

describe("an installation's writes", () => {
  it("go ten at once, then one a second, the most worthy first, and reads at any time", async () => {
    const { clock, sent, ask, write } = started();
    write("comment", 12);
    write("card");
    await clock.advance(1500);
    write("landing");
    ask(QUERY, "query");
    await clock.advance(10_000);
    const rest = sent.slice(10);
    expect(sent.slice(0, 10)).toEqual(Array(10).fill(["comment", 0]));
    expect(rest).toEqual([
      ["card", 1000],
      ["query", 1500],
      ["landing", 2000],
      ["comment", 3000],
      ["comment", 4000],
    ]);
  });

  it.each([
    ["card", 10],
    ["comment", 60],
  ] as const)(
    "of the kind %s are made within %i s, though all that may go is spent on work and they are refused at first",
    async (kind, seconds) => {
      const { clock, sent, write } = started(GITHUB_LIMITS);
      write("landing", 10);
      for (let second = 0; second < seconds + 5; second += 1) {
        write("landing");
        if (second % 2 === 0 && !sent.some(([name]) => name === kind)) write(kind);
        await clock.advance(1000);
      }
      const [first] = sent.filter(([name]) => name === kind);
      expect(first?.[1]).toBeLessThanOrEqual(seconds * 1000 + 1000);
    },
  );

  it("do not wait behind new and more worthy ones for ever", async () => {
    const { clock, sent, write } = started();
    write("landing", 10);
    write("comment");
    for (let second = 0; second < 70; second += 1) {
      write("landing");
      await clock.advance(1000);
    }
    const [, at] = sent.find(([name]) => name === "comment") ?? [];
    expect(at).toBeGreaterThan(40_000);
    expect(at).toBeLessThanOrEqual(60_000);
  });

  it("that would wait for more than ten seconds say until when, and are not sent", async () => {
    const { clock, sent, refused, write } = started();
    write("comment", 21);
    await clock.advance(0);
    expect(refused).toMatchObject([{ code: "github-rate-limited", retryAfterMs: undefined }]);
    expect(refused[0]?.message).toMatch(/^waits for the budget of writes until \d\d:\d\d UTC$/);
    await clock.advance(20_000);
    expect(sent).toHaveLength(20);
  });

  it("are not refused because less worthy ones wait", async () => {
    const { clock, refused, sent, write } = started();
    write("comment", 20);
    write("landing", 5);
    await clock.advance(5000);
    expect(refused).toEqual([]);
    expect(sent.slice(10)).toEqual([1, 2, 3, 4, 5].map((second) => ["landing", second * 1000]));
  });

  it("are known while they wait: how many of each kind, since when, and when one more would go", async () => {
    const { clock, start, pace, write } = started();
    write("comment", 12);
    await clock.advance(500);
    write("card");
    expect(pace.waiting()).toEqual([
      { kind: "card", count: 1, oldestAt: start + 500 },
      { kind: "comment", count: 2, oldestAt: start },
    ]);
    expect(pace.nextAt("landing")).toBe(start + 1000);
    expect(pace.nextAt("comment")).toBe(start + 4000);
    await clock.advance(5000);
    expect(pace.waiting()).toEqual([]);
  });

  it("are only counted where there are no limits", async () => {
    const { clock, pace, sent, write } = started(NO_LIMITS);
    pace.pause("rest", { ms: 60_000, of: "all" });
    write("comment", 600);
    await clock.advance(0);
    expect(sent).toHaveLength(600);
    expect(pace.contentWithinHour()).toBe(600);
    expect(pace.askedUntil()).toBeUndefined();
  });
});

describe("a pause that GitHub asks for", () => {
  it("refuses what waits and what comes, reads too, and says for how long", async () => {
    const { clock, start, pace, sent, refused, ask, write } = started();
    write("landing", 11);
    await clock.advance(0);
    pace.pause("rest", { ms: 60_000, of: "all" });
    ask(QUERY, "query");
    await clock.advance(0);
    expect(refused).toHaveLength(2);
    for (const error of refused) {
      expect(error).toMatchObject({ code: "github-rate-limited", retryAfterMs: 60_000 });
      expect(error.message).toMatch(/^waits until \d\d:\d\d UTC, as GitHub asked$/);
    }
    expect(pace.askedUntil()).toBe(start + 60_000);
    await clock.advance(60_000);
    expect(pace.askedUntil()).toBeUndefined();
    ask(QUERY, "query");
    await clock.advance(0);
    expect(sent.slice(10)).toEqual([["query", 60_000]]);
  });

  it("is waited for in place when it is short, and a shorter one does not end a longer one", async () => {
    const { clock, pace, sent, ask } = started();
    pace.pause("rest", { ms: 8000, of: "all" });
    pace.pause("rest", { ms: 2000, of: "all" });
    ask(QUERY, "query");
    await clock.advance(7999);
    expect(sent).toEqual([]);
    await clock.advance(1);
    expect(sent).toEqual([["query", 8000]]);
  });

  it("is that of one interface when only its hour is used up", async () => {
    const { clock, pace, sent, refused, ask, write } = started();
    pace.pause("graphql", { ms: 600_000, of: "this-api" });
    ask(QUERY, "query");
    write("comment");
    await clock.advance(0);
    expect(sent).toEqual([["comment", 0]]);
    expect(refused).toMatchObject([{ retryAfterMs: 600_000 }]);
  });
});

describe("requests under way", () => {
  it("are never more than GitHub bears, and one that fails makes room as well", async () => {
    const clock = new TestClock();
    const pace = new RequestPace(clock, { ...GITHUB_LIMITS, atOnce: 2 });
    const answers = Array.from({ length: 4 }, () => deferred<undefined>());
    let begun = 0;
    const sent = answers.map(({ promise }) =>
      pace.send(QUERY, () => {
        begun += 1;
        return promise;
      }),
    );
    await clock.settle();
    expect(begun).toBe(2);
    answers[0]?.reject(new Error("lost"));
    await expect(sent[0]).rejects.toThrow("lost");
    await clock.settle();
    expect(begun).toBe(3);
    for (const { resolve } of answers) resolve(undefined);
    await Promise.allSettled(sent);
    expect(begun).toBe(4);
  });
});
