import type nock from "nock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  ERROR_ANSWERS,
  failureOf,
  installed,
  leaveNetwork,
  nockedGitHub,
  refusal,
} from "./nocked-github.ts";
import type { NockedGitHub } from "./nocked-github.ts";

export interface Call {
  readonly name: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string | RegExp;
  readonly make: (on: NockedGitHub) => Promise<unknown>;
  /** Statuses that mean something of their own for this call. */
  readonly except?: readonly number[];
  /** Asked as the app, which needs no installation. */
  readonly asApp?: boolean;
  /** What is asked for and answered before. */
  readonly before?: (api: nock.Scope) => unknown;
}

/** Octokit reads a conflict in a list as an empty list; GitHub gives none there. */
export const LIST = [409];
export const GRAPHQL = { method: "POST", path: "/graphql" } as const;

function prepare({ asApp = false, before }: Call, { api }: NockedGitHub): void {
  if (!asApp) installed(api);
  before?.(api);
}

/** Every documented error answer to each of the calls ends in a typed error. */
export function describeErrorAnswers(calls: readonly Call[]): void {
  describe.each(calls)("$name", (call) => {
    const { method, path, make, except = [] } = call;
    let on: NockedGitHub;
    beforeEach(() => {
      on = nockedGitHub();
    });
    afterEach(leaveNetwork);

    it.each(ERROR_ANSWERS.filter(({ status }) => !except.includes(status)))(
      "takes $status $headers $message for $code",
      async ({ code, retryable, ...answer }) => {
        prepare(call, on);
        on.api.intercept(path, method).reply(answer.status, refusal(answer), answer.headers);
        expect(await failureOf(make(on))).toMatchObject({ code, retryable });
      },
    );

    it.each<[string, (answer: nock.Interceptor) => unknown]>([
      ["a reset connection", (answer) => answer.replyWithError(new Error("read ECONNRESET"))],
      [
        "a page of a proxy",
        (answer) => answer.reply(200, "<html>", { "content-type": "text/html" }),
      ],
      [
        "half an answer",
        (answer) => answer.reply(200, '{"data":', { "content-type": "application/json" }),
      ],
      ["a page with status 502", (answer) => answer.reply(502, "<html>Bad Gateway</html>")],
    ])("is tried again after %s", async (_, give) => {
      prepare(call, on);
      give(on.api.intercept(path, method));
      expect(await failureOf(make(on))).toMatchObject({
        code: "github-unavailable",
        retryable: true,
      });
    });
  });
}

/** As errors of GraphQL, which come with status 200. */
export function describeGraphqlErrors(calls: readonly Call[]): void {
  describe.each(calls)("$name, answered with 200", (call) => {
    let on: NockedGitHub;
    beforeEach(() => {
      on = nockedGitHub();
    });
    afterEach(leaveNetwork);

    it.each([
      { type: "RATE_LIMITED", codes: ["github-rate-limited"] },
      { type: "FORBIDDEN", codes: ["github-refused", "board-unreadable"] },
      { type: "INSUFFICIENT_SCOPES", codes: ["github-refused"] },
      { type: undefined, codes: ["github-unavailable"] },
    ])("and $type ends in one of $codes", async ({ type, codes }) => {
      prepare(call, on);
      on.api
        .post("/graphql")
        .reply(200, { data: null, errors: [{ type, message: "no", path: [] }] });
      expect(codes).toContain((await failureOf(call.make(on))).code);
    });

    it("and errors beside some of the data is not taken for all of it", async () => {
      prepare(call, on);
      const errors = [{ type: "FORBIDDEN", message: "no", path: ["repository"] }];
      on.api.post("/graphql").reply(200, { data: { repository: null }, errors });
      expect((await failureOf(call.make(on))).retryable).toBe(false);
    });
  });
}
