import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { classify } from "../../../../src/adapters/github/connection/github-failure.ts";
import { octokitFor } from "../../../../src/adapters/github/connection/probot.ts";

describe("octokitFor", () => {
  it("does not wait without end for an answer that does not come", async () => {
    const server = createServer(() => undefined);
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { port } = server.address() as AddressInfo;
    const Octokit = octokitFor(20);
    const client = new Octokit({ baseUrl: `http://127.0.0.1:${port}`, auth: { token: "t" } });
    const failure: unknown = await client.request("GET /app").catch((error: unknown) => error);
    server.closeAllConnections();
    server.close();
    expect(classify(failure, "read")).toMatchObject({
      code: "github-unavailable",
      retryable: true,
    });
  });
});
