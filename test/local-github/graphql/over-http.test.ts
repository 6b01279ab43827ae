import { describe, expect, it } from "vitest";
import { createTown } from "../town.ts";

const VIEWER = { query: "{ viewer { login } }" };

describe("POST /graphql", () => {
  it("is at both addresses, and shows the points that are left", async () => {
    const town = await createTown();
    const first = await town.call("POST", "/graphql", VIEWER);
    expect(first).toMatchObject({
      status: 200,
      body: { data: { viewer: { login: "wavetrain[bot]" } } },
    });
    expect(first.headers.get("x-ratelimit-resource")).toBe("graphql");
    expect(first.headers.get("x-ratelimit-remaining")).toBe("4999");
    await town.call("POST", "/api/graphql", VIEWER);
    const limits = await town.call("GET", "/rate_limit");
    expect(limits.body).toMatchObject({ resources: { graphql: { used: 2, remaining: 4998 } } });
  });

  it("refuses without credentials, and answers 200 when only the question is refused", async () => {
    const town = await createTown();
    expect((await town.ask("POST", "/graphql", { body: VIEWER })).status).toBe(401);
    const missing = { query: `{ repository(owner: "acme", name: "nothing") { id } }` };
    expect(await town.call("POST", "/graphql", missing)).toMatchObject({
      status: 200,
      body: { data: { repository: null }, errors: [{ type: "NOT_FOUND" }] },
    });
  });

  it("turns boards null and back by the knob", async () => {
    const town = await createTown();
    const query = `{ organization(login: "acme") { projectV2(number: 1) { title } } }`;
    town.github.faults.nullBoard = true;
    const hidden = await town.call("POST", "/graphql", { query });
    expect(hidden.body).toEqual({ data: { organization: { projectV2: null } } });
    town.github.faults.clear();
    const shown = await town.call("POST", "/graphql", { query });
    expect(shown.body).toEqual({ data: { organization: { projectV2: { title: "Work" } } } });
  });
});
