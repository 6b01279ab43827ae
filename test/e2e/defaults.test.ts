import { afterEach, describe, expect, it } from "vitest";
import { World } from "../support/world.ts";

let world: World;
afterEach(() => world.close());

/** GitHub takes no comment until it is told to. */
function refuseComments(): () => void {
  let refuses = true;
  world.github.faults.answer({
    matches: ({ method, route }) => refuses && method !== "GET" && route.includes("/comments"),
    status: 502,
    message: "Bad Gateway",
    times: Infinity,
  });
  return () => {
    refuses = false;
  };
}

async function started(): Promise<readonly string[]> {
  return (await world.journal()).flatMap(({ id, what }) => (what === "started" ? [id] : []));
}

describe("at the default settings", () => {
  it("every slot is busy with forty cards in Ready, whatever becomes of what is said about them", async () => {
    world = await World.create({ defaults: true, strict: false });
    refuseComments();
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

  it("all land while GitHub refuses every comment, and the comments follow", async () => {
    world = await World.create({ defaults: true, strict: false });
    const takeComments = refuseComments();
    const ids = ["one", "two", "three"];
    for (const id of ids) await world.addTask({ id, files: [`src/${id}.txt`] });
    world.approveEverything();
    world.moveToReady(...ids);
    await world.untilColumn("Done", ...ids);
    expect(ids.flatMap((id) => world.comments(id))).toEqual([]);
    const { repositories } = await world.status();
    expect(repositories.flatMap(({ heldBack }) => heldBack)).toMatchObject([
      { kind: "comment", count: 3 },
    ]);
    takeComments();
    await world.until("each is told of once", () =>
      ids.every((id) => world.comments(id).join("").includes("**Landed**")),
    );
    expect(ids.map((id) => world.comments(id).length)).toEqual([1, 1, 1]);
  });
});
