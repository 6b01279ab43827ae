import { describe, expect, it } from "vitest";
import { createKeyedQueue } from "../../src/shared/keyed-queue.ts";

describe("createKeyedQueue", () => {
  it("runs work of one key in order, also after a failure, and other keys meanwhile", async () => {
    const queue = createKeyedQueue();
    const events: string[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((done) => (release = done));
    const work = (name: string, wait?: Promise<void>) => async () => {
      events.push(`${name} starts`);
      await wait;
      events.push(`${name} ends`);
      if (name === "one") throw new Error(name);
    };
    const one = queue("a", work("one", held));
    const two = queue("a", work("two"));
    await queue("b", work("other"));
    expect(events).toEqual(["one starts", "other starts", "other ends"]);
    release();
    await expect(one).rejects.toThrow("one");
    await two;
    expect(events.slice(3)).toEqual(["one ends", "two starts", "two ends"]);
  });
});
