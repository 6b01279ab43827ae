import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { World } from "../support/world.ts";

const TOKEN_FILE = join(tmpdir(), `wavetrain-user-project-${process.pid}`);

let world: World;
afterEach(async () => {
  await rm(TOKEN_FILE, { force: true });
  await world.close();
});

/** The owner replaces the token; the app looks at it with every reading. */
async function useToken(token: string): Promise<void> {
  await writeFile(TOKEN_FILE, `${token}\n`);
}

async function untilNotice(words: string): Promise<void> {
  await world.until(`it says ${words}`, async () =>
    (await world.notices()).some((notice) => notice.includes(words)),
  );
}

describe("a person's own project", () => {
  it("is a board by a classic token of theirs: every trouble with it is said, strangers start nothing, work lands", async () => {
    await useToken("");
    world = await World.create({
      personal: true,
      ownProject: true,
      repository: { board: { kind: "user-project", owner: "ann", project: 1 } },
      // No webhook tells of a move on such a board.
      operator: { reconcileEvery: "500ms", personalProjects: { ann: { tokenFile: TOKEN_FILE } } },
    });
    world.approveEverything();
    await world.addTask({ id: "greet", files: ["src/greet.txt"] });
    await untilNotice("holds no token");
    await useToken("ghp_gone");
    await untilNotice("wrong, expired or revoked");
    await useToken(world.github.addClassicToken("ann", ["repo"]).token);
    await untilNotice("lacks the scope project");
    await useToken(world.github.addClassicToken("bob", ["project"]).token);
    await untilNotice(
      "project 1 of ann cannot be read: it does not exist or the owner of the token",
    );

    await useToken(world.github.addClassicToken("ann", ["repo", "project"]).token);
    world.github.as("eve").moveCard(world.issue("greet"), "Ready");
    await world.untilColumn("Blocked", "greet");
    await world.until("it says why", () => world.comments("greet").join("").includes("by eve"));
    expect(await world.journal()).toEqual([]);
    expect(await world.notices()).not.toContainEqual(expect.stringContaining("project 1"));

    await world.nextSecond();
    world.moveToReady("greet");
    await world.untilColumn("Done", "greet");
    expect(await world.mainFiles()).toMatchObject({ "src/greet.txt": "greet\n" });
  });
});
