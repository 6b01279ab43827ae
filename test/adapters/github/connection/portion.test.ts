import { GraphqlResponseError } from "@octokit/graphql";
import { describe, expect, it } from "vitest";
import { classify } from "../../../../src/adapters/github/connection/github-failure.ts";
import { Portion } from "../../../../src/adapters/github/connection/portion.ts";

const HOUR_MS = 60 * 60_000;

function refused(type: string): Error {
  const errors = [{ type, message: "no" }];
  const answer = { data: {}, errors } as unknown as ConstructorParameters<
    typeof GraphqlResponseError
  >[2];
  return new GraphqlResponseError({ method: "POST", url: "/graphql" }, {}, answer);
}

describe("a portion", () => {
  it("is halved until GitHub can serve it, and stays small for an hour", async () => {
    let now = 0;
    const portion = new Portion(100, () => now);
    const asked: number[] = [];
    const serve = (size: number): Promise<number> => {
      asked.push(size);
      return size > 30
        ? Promise.reject(refused("RESOURCE_LIMITS_EXCEEDED"))
        : Promise.resolve(size);
    };
    await portion.ask(serve);
    await portion.ask(serve);
    now = HOUR_MS;
    await portion.ask(serve);
    expect(asked).toEqual([100, 50, 25, 25, 100, 50, 25]);
  });

  it("leaves nothing of a list out", async () => {
    const portion = new Portion(50, () => 0);
    const all = Array.from({ length: 120 }, (_, at) => at);
    const answers = await portion.askAll(all, (part) =>
      part.length > 20
        ? Promise.reject(refused("RESOURCE_LIMITS_EXCEEDED"))
        : Promise.resolve(part),
    );
    expect(answers.flat()).toEqual(all);
  });

  it("is not divided after any other refusal", async () => {
    const portion = new Portion(100, () => 0);
    await expect(portion.ask(() => Promise.reject(refused("FORBIDDEN")))).rejects.toThrow();
    expect(portion.size).toBe(100);
  });
});

describe("an error that says that GitHub could not do it now", () => {
  it.each(["RESOURCE_LIMITS_EXCEEDED", "SERVICE_UNAVAILABLE", "INTERNAL"])(
    "is tried again: %s",
    (type) => {
      expect(classify(refused(type), "read the board")).toMatchObject({
        code: "github-unavailable",
        retryable: true,
      });
    },
  );
});
