import { afterEach, describe, expect, it } from "vitest";
import type { RequestFacts } from "../../local-github/wire/faults.ts";
import { further } from "../support/further.ts";
import { HurriedClock } from "../support/hurried-clock.ts";
import { World } from "../support/world.ts";

let world: World;
afterEach(() => world.close());

const MINUTE_MS = 60_000;

/** GitHub takes nothing of the kind until it is told to. */
function refuse(isRefused: (request: RequestFacts) => boolean): () => void {
  let refuses = true;
  world.github.faults.answer({
    matches: (request) => refuses && isRefused(request),
    status: 502,
    message: "Bad Gateway",
    times: Infinity,
  });
  return () => {
    refuses = false;
  };
}

function isComment({ method, route }: RequestFacts): boolean {
  return method !== "GET" && route.includes("/comments");
}

function isCardUpdate({ body }: RequestFacts): boolean {
  return JSON.stringify(body ?? null).includes("mutation UpdateCards");
}

async function started(): Promise<readonly string[]> {
  return (await world.journal()).flatMap(({ id, what }) => (what === "started" ? [id] : []));
}

describe("at the default settings", () => {
  it("every slot is busy with forty cards in Ready, whatever becomes of what is said about them", async () => {
    world = await World.create({ defaults: true, strict: false });
    refuse(isComment);
    const ids = Array.from({ length: 40 }, (_, at) => `t${at}`);
    for (const id of ids) {
      const script = { waitFor: [`${id}.go`], writes: { [`src/${id}.txt`]: `${id}\n` } };
      await world.addTask({ id, files: [`src/${id}.txt`], script });
    }
    world.moveToReady(...ids);
    await world.until("eight have started", async () => (await started()).length === 8);
    const [first = ""] = await started();
    await world.signalAgents(`${first}.go`);
    // Its change is still to be verified, pushed and told of.
    await world.until("its slot is filled", async () => (await started()).length === 9);
    expect(ids.flatMap((id) => world.comments(id))).toEqual([]);
  });

  further(
    "all land while GitHub takes neither comments nor cards for ten minutes, and both catch up",
    async () => {
      const clock = new HurriedClock();
      world = await World.create({ defaults: true, strict: false, clock });
      const takeAll = refuse((request) => isComment(request) || isCardUpdate(request));
      const ids = ["one", "two", "three"];
      for (const id of ids) await world.addTask({ id, files: [`src/${id}.txt`] });
      world.approveEverything();
      world.moveToReady(...ids);
      const begun = clock.now();
      for (let minute = 0; minute < 5; minute += 1) clock.skip(MINUTE_MS);
      await world.until("all have landed", async () => {
        const { tasks } = await world.app.store.readRepo(world.repo);
        return tasks.length === ids.length && tasks.every(({ state }) => state === "landed");
      });
      for (let minute = 0; minute < 5; minute += 1) clock.skip(MINUTE_MS);
      expect(clock.now() - begun).toBeGreaterThanOrEqual(10 * MINUTE_MS);
      expect(ids.flatMap((id) => world.comments(id))).toEqual([]);
      expect(ids.map((id) => world.column(id))).toEqual(ids.map(() => "Ready"));
      await world.until("it is said what waits", async () => {
        const waits = (await world.status()).repositories.flatMap(({ heldBack }) => heldBack);
        const said = waits.map(({ kind, count }) => `${count} ${kind}`).join(", ");
        return said === "1 card, 3 comment";
      });
      takeAll();
      clock.skip(MINUTE_MS);
      await world.untilColumn("Done", ...ids);
      await world.until("each is told of once", () =>
        ids.every((id) => world.comments(id).join("").includes("**Landed**")),
      );
      expect(ids.map((id) => world.comments(id).length)).toEqual([1, 1, 1]);
    },
  );
});
