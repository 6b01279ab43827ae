import pino from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiBudgets } from "../../../src/adapters/github/connection/api-budgets.ts";
import { createConnection } from "../../../src/adapters/github/connection/connection.ts";
import { createProbot } from "../../../src/adapters/github/connection/probot.ts";
import { createGitHub } from "../../../src/adapters/github/create-github.ts";
import type { RepoName } from "../../../src/domain/ids.ts";
import type { GitHub } from "../../../src/ports/github.ts";
import { TestClock } from "../../support/test-clock.ts";
import { World } from "../../support/world.ts";

let world: World;
let clock: TestClock;
let budgets: ApiBudgets;
let github: GitHub;
let repo: RepoName;

beforeEach(async () => {
  world = await World.create({ startApp: false });
  await world.addTask({ id: "a" });
  clock = new TestClock();
  budgets = new ApiBudgets(clock, "polite");
  const { identity, github: server } = world;
  const log = pino({ level: "silent" });
  const probot = await createProbot({ identity, apiUrl: server.url, log });
  const auth = { asApp: () => probot.auth(), asInstallation: (id: number) => probot.auth(id) };
  github = createGitHub(createConnection(auth, budgets), clock.now);
  repo = world.repo;
});
afterEach(() => world.close());

const comment = () => github.createComment(repo, 1, "said");
const look = () => github.refreshPulls(repo, { pulls: [], branches: ["main"] });

describe("the server's clients", () => {
  it("keep to our pace alone: within a burst nothing waits, and queries never do", async () => {
    await look();
    const start = performance.now();
    for (let n = 0; n < 3; n += 1) await comment();
    for (let n = 0; n < 5; n += 1) await look();
    // Probot's own would hold comments three seconds apart and queries one.
    expect(performance.now() - start).toBeLessThan(6000);
    expect(clock.waiting).toEqual([]);
  });

  it("hold comments back after five, and say when one more could go; what lands still finds room", async () => {
    for (let n = 0; n < 5; n += 1) await comment();
    const held = comment();
    await vi.waitFor(() => {
      expect(budgets.all()).toMatchObject([{ heldBack: [{ kind: "comment", count: 1 }] }]);
    });
    expect(await github.nextWriteAt(repo, "comment")).toBe(clock.now() + 2000);
    expect(await github.nextWriteAt(repo, "landing")).toBe(clock.now());
    await look();
    await clock.advance(1000);
    await held;
    expect(budgets.all()).toMatchObject([{ writes: { left: 494 }, heldBack: [] }]);
  });

  it("leave GitHub alone for as long as it asks, reads too", async () => {
    await look();
    world.github.faults.secondaryLimit({ retryAfterSeconds: 60 });
    const limited = { code: "github-rate-limited", retryAfterMs: 60_000 };
    await expect(comment()).rejects.toMatchObject(limited);
    const { rest, graphql } = world.github.calls();
    await expect(comment()).rejects.toMatchObject(limited);
    await expect(look()).rejects.toMatchObject(limited);
    expect(world.github.calls()).toMatchObject({ rest, graphql });
    expect(budgets.all()).toMatchObject([{ askedUntil: clock.now() + 60_000 }]);
    await clock.advance(60_000);
    await comment();
    await look();
  });
});
