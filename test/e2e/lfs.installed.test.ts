import { afterEach, describe, expect, it } from "vitest";
import { findObject, keepObject, nameOf, pointerTo } from "../../local-github/lfs/objects.ts";
import { hasProgram } from "../support/installed.ts";
import type { WorldOptions } from "../support/world-options.ts";
import { World } from "../support/world.ts";

let world: World;
afterEach(() => world.close());

const ATTRIBUTES = "*.psd filter=lfs diff=lfs merge=lfs -text\n";
const [LOGO, ICON, NEW] = ["a logo\n", "an icon\n", "a new logo\n"].map((text) =>
  Buffer.from(text),
) as [Buffer, Buffer, Buffer];
const FILES = {
  "README.md": "# shop\n",
  "src/a.txt": "a\n",
  ".gitattributes": ATTRIBUTES,
  "art/logo.psd": pointerTo(LOGO),
  "art/icon.psd": pointerTo(ICON),
};
/** Whoever verifies has content, not pointers. */
const VERIFY = "! grep -q git-lfs art/logo.psd";

async function createWorld(
  options: WorldOptions = {},
  stored: readonly Buffer[] = [LOGO, ICON],
): Promise<void> {
  const repository = { verify: VERIFY, feedback: { quiet: "50ms" }, ...options.repository };
  world = await World.create({ files: FILES, ...options, repository });
  for (const content of stored) await keepObject(world.repository, content);
}

const isStored = async (content: Buffer): Promise<boolean> =>
  (await findObject(world.repository, nameOf(content))) !== undefined;

async function untilDone(...ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await world.untilColumn("In review", id);
    world.github.as("bob").approve(world.pull(id));
  }
  await world.untilColumn("Done", ...ids);
}

describe.runIf(hasProgram("git-lfs"))("files that Git LFS keeps", () => {
  it("are content for an agent, and land as pointers whose content GitHub has", async () => {
    await createWorld();
    const writes = { "art/logo.psd": NEW.toString(), "art/empty.psd": "" };
    const script = { reads: ["art/logo.psd", "art/icon.psd"], writes };
    await world.addTask({ id: "logo", files: ["art/**"], script });
    await world.addTask({
      id: "text",
      files: ["src/**"],
      script: { writes: { "src/a.txt": "b\n" } },
    });
    world.moveToReady("logo", "text");
    await untilDone("logo", "text");

    expect(await world.agentFile("logo.saw")).toBe("a logo\nan icon\n");
    expect(await world.agentFile("logo.status")).toBe("");
    expect(await world.mainFiles()).toMatchObject({
      ...FILES,
      "src/a.txt": "b\n",
      "art/logo.psd": pointerTo(NEW),
      "art/empty.psd": "",
    });
    expect(await isStored(NEW)).toBe(true);
    const seen = `${await world.agentFile("logo.env")}${await world.agentFile("logo.config")}`;
    for (const token of world.github.world.tokens.keys()) {
      expect(seen).not.toContain(token);
      expect(seen).not.toContain(Buffer.from(`x-access-token:${token}`).toString("base64"));
    }
    expect(await world.notices()).toEqual([]);
  });
});
