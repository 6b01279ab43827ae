import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { repoName } from "../../src/domain/ids.ts";
import type { Run } from "../../src/domain/run.ts";
import { AppProcess } from "../support/app-process.ts";
import { bubblewrapWorks, pathWithCodex } from "../support/installed.ts";
import { ModelServer } from "../support/model-server.ts";
import type { WorldOptions } from "../support/world-options.ts";
import { World } from "../support/world.ts";

const PATH = pathWithCodex();
const SANDBOX = (await bubblewrapWorks()) ? "bubblewrap" : "none";
const HOUR_MS = 3_600_000;

let model: ModelServer;
let world: World;
beforeEach(async () => {
  model = await ModelServer.start();
});
afterEach(async () => {
  model.release();
  await world.close();
  await model.close();
});

async function createWorld(
  options: WorldOptions = {},
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const provider = `{name="scripted",base_url="${model.url}",env_key="MODEL_KEY",wire_api="responses",request_max_retries=1,stream_max_retries=1}`;
  const settings = [`model_provider="scripted"`, `model_providers.scripted=${provider}`];
  const args = settings.flatMap((setting) => ["-c", setting]);
  world = await World.create({
    environment: { PATH: PATH ?? "", MODEL_KEY: "no real key" },
    ...options,
    operator: {
      runners: {
        codex: { preset: "codex", model: "scripted", args, slots: 4, env: ["MODEL_KEY"], ...more },
      },
      sandbox: SANDBOX,
      reconcileEvery: "500ms",
    },
  });
}

async function lastRun(): Promise<Run | undefined> {
  const { runs } = await world.app.store.readRepo(repoName("acme/shop"));
  return runs.findLast((run) => run.outcome !== undefined);
}

describe.skipIf(PATH === undefined)("codex", () => {
  it("does two tasks side by side, each in a worktree of its own, and tells what they cost", async () => {
    await createWorld();
    await world.addTasks([
      { id: "one", files: ["src/one.txt"], body: "Write *one*." },
      { id: "two", files: ["src/two.txt"], body: "Write *two*." },
    ]);
    for (const id of ["one", "two"]) {
      const copy = `grep Write "$WAVETRAIN_TASK_FILE" > src/${id}.txt`;
      model.script(id, { hang: true }, { shell: copy }, { say: `I wrote ${id}.` });
    }
    world.moveToReady("one", "two");
    await world.until("both have asked the model", () => model.hanging === 2);
    model.release();
    await world.untilColumn("In review", "one", "two");

    for (const id of ["one", "two"]) {
      const pull = world.pull(id);
      expect(await world.git("show", `${pull.headRef}:src/${id}.txt`)).toBe(`Write *${id}*.`);
      expect(pull.body).toContain(`I wrote ${id}.`);
    }
    const { runs } = await world.app.store.readRepo(repoName("acme/shop"));
    const usage = { inputTokens: 200, outputTokens: 14, cachedTokens: 80 };
    expect(runs).toMatchObject([
      { usage, session: expect.stringMatching(/^[0-9a-f-]{36}$/) as string },
      { usage },
    ]);
    expect(runs[0]?.session).not.toBe(runs[1]?.session);
  });

  it.skipIf(SANDBOX === "none")(
    "finds its provider through the proxy, and nobody else",
    async () => {
      await createWorld({}, { network: [new URL(model.url).host] });
      await world.addTask({ id: "a", files: ["src/a.txt"] });
      // A newer Node asks the proxy, which refuses; an older one finds no network.
      const said = `(r) => r.status === 403 ? "refused" : "open", () => "refused"`;
      const probe = `node -e 'fetch("${world.github.url}").then(${said}).then(console.log)'`;
      model.script("a", { shell: `${probe} > src/a.txt` }, { say: "done" });
      world.moveToReady("a");
      await world.untilColumn("In review", "a");
      expect(await world.git("show", `${world.pull("a").headRef}:src/a.txt`)).toBe("refused");
    },
  );

  it("goes on in the same conversation when the verification failed", async () => {
    await createWorld({ repository: { verify: "grep -q right src/a.txt" } });
    await world.addTask({ id: "a", files: ["src/a.txt"] });
    model.script(
      "a",
      { shell: "echo wrong > src/a.txt" },
      { say: "First try." },
      { shell: "echo right > src/a.txt" },
      { say: "Second try." },
    );
    world.moveToReady("a");
    await world.untilColumn("In review", "a");

    const [, , third] = model.requestsOf("a");
    expect(third?.text).toContain("First try.");
    expect(third?.text).toContain("did not pass the verification");
    expect(world.pull("a").body).toContain("Second try.");
  });

  it("waits for the provider's reset when a limit is reached, and uses up no attempt", async () => {
    await createWorld();
    await world.addTask({ id: "a", files: ["src/a.txt"] });
    const until = Date.now() + 2 * HOUR_MS;
    const error = { type: "usage_limit_reached", resets_at: Math.floor(until / 1000) };
    model.script("a", { status: 429, body: { error } });
    world.moveToReady("a");
    await world.until("the run ended", async () => (await lastRun()) !== undefined);

    const outcome = (await lastRun())?.outcome;
    expect(outcome).toMatchObject({ kind: "provider-limited" });
    // It is told by the minute.
    const told = (outcome?.kind === "provider-limited" ? outcome.until : undefined) ?? 0;
    expect(Math.abs(told - until)).toBeLessThanOrEqual(60_000);
    expect(await world.taskState("a")).toBe("waiting");
  });

  it("gets over a stream that is cut off, and fails with the provider's words when it stays broken", async () => {
    await createWorld({ repository: { limits: { attempts: 1 } } });
    await world.addTasks([
      { id: "cut", files: ["src/cut.txt"] },
      { id: "down", files: ["src/down.txt"] },
    ]);
    model.script("cut", { cut: true }, { shell: "echo x > src/cut.txt" }, { say: "Done." });
    model.script("down", { status: 500 });
    world.moveToReady("cut", "down");
    await world.untilColumn("In review", "cut");
    await world.untilColumn("Blocked", "down");
    expect(world.pulls()).toHaveLength(1);
  });

  it("is taken up again when the app is killed in the middle of a run", async () => {
    await createWorld({ startApp: false });
    const app = new AppProcess(world);
    try {
      await app.start();
      await world.addTask({ id: "a", files: ["src/a.txt"] });
      model.script("a", { hang: true }, { shell: "echo again > src/a.txt" }, { say: "Done." });
      world.moveToReady("a");
      await world.until("it has asked the model", () => model.hanging === 1);
      await app.kill();
      await app.start();
      model.release();
      await world.untilColumn("In review", "a");
      expect(world.pulls()).toHaveLength(1);
      expect(await world.git("show", `${world.pull("a").headRef}:src/a.txt`)).toBe("again");
    } finally {
      await app.kill();
    }
  });
});
