import { existsSync } from "node:fs";
import { join } from "node:path";
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

  it("are content for rework, which goes on with a branch that has files of its own", async () => {
    await createWorld();
    const again = { reads: ["art/logo.psd"], writes: { "art/logo.psd": "the last logo\n" } };
    const script = { writes: { "art/logo.psd": NEW.toString() }, attempts: { 2: again } };
    await world.addTask({ id: "logo", files: ["art/logo.psd"], script });
    world.moveToReady("logo");
    await world.untilColumn("In review", "logo");
    await world.settle();
    world.github.as("bob").requestChanges(world.pull("logo"), "Bluer.");
    const last = Buffer.from("the last logo\n");
    await world.until("the last one is stored", () => isStored(last));
    await untilDone("logo");
    expect(await world.agentFile("logo.saw")).toBe("a new logo\n");
    expect((await world.mainFiles())["art/logo.psd"]).toBe(pointerTo(last));
  });

  it("are saved with a run that was killed, and the next one goes on with their content", async () => {
    await createWorld();
    const script = { writes: { "art/logo.psd": NEW.toString() }, hangs: true } as const;
    await world.addTask({ id: "logo", files: ["art/**"], script });
    world.moveToReady("logo");
    await world.until("it has written", () => existsSync(join(world.agentFolder, "logo.hangs")));
    await world.stopApp();
    await world.rescript("logo", {
      reads: ["art/logo.psd"],
      writes: { "art/note.txt": "done\n" },
    });
    await world.startApp();
    await untilDone("logo");
    expect(await world.agentFile("logo.saw")).toBe("a new logo\n");
    expect((await world.mainFiles())["art/logo.psd"]).toBe(pointerTo(NEW));
    expect(await isStored(NEW)).toBe(true);
  });

  it("that GitHub has no content of stay pointers, which stops nothing and is said", async () => {
    await createWorld({}, [LOGO]);
    const script = {
      reads: ["art/logo.psd", "art/icon.psd"],
      writes: { "src/a.txt": "b\n" },
    };
    await world.addTask({ id: "text", files: ["src/**"], script });
    world.moveToReady("text");
    await world.untilColumn("In review", "text");
    expect(await world.agentFile("text.saw")).toBe(`a logo\n${pointerTo(ICON)}`);
    expect((await world.notices()).join()).toContain("GitHub lacks the content of art/icon.psd");
    await untilDone("text");
    expect(await world.mainFiles()).toEqual({ ...FILES, "src/a.txt": "b\n" });

    await keepObject(world.repository, ICON);
    const icon = { reads: ["art/icon.psd"], writes: { "art/icon.psd": NEW.toString() } };
    await world.addTask({ id: "icon", files: ["art/**"], script: icon });
    world.moveToReady("icon");
    await untilDone("icon");
    expect(await world.agentFile("icon.saw")).toBe("an icon\n");
    expect(await world.notices()).toEqual([]);
  });

  it("that cannot be uploaded keep the branch from being pushed, with GitHub's reason", async () => {
    await createWorld({ repository: { limits: { failures: { infrastructure: 1 } } } });
    const isUpload = ({ route, body }: { route: string; body: unknown }) =>
      route.endsWith("/objects/batch") && JSON.stringify(body).includes("upload");
    const message = "This repository is over its data quota.";
    world.github.faults.answer({ matches: isUpload, status: 403, message, times: 100 });
    const script = { writes: { "art/logo.psd": NEW.toString() } };
    await world.addTask({ id: "logo", files: ["art/**"], script });
    world.moveToReady("logo");
    await world.until("it is given up", async () => (await world.taskState("logo")) === "failed");
    await world.settle();
    expect(world.comments("logo").join()).toContain("Git LFS keeps cannot be uploaded");
    expect(world.comments("logo").join()).toContain("over its data quota");
    expect([...world.repository.refs.keys()]).toEqual(["refs/heads/main"]);

    world.github.faults.clear();
    world.github.as("ann").comment(world.issue("logo"), "/retry");
    await untilDone("logo");
    expect((await world.mainFiles())["art/logo.psd"]).toBe(pointerTo(NEW));
  });

  it("that cannot be fetched end the run before anybody is paid, with the file's name", async () => {
    await createWorld({ repository: { limits: { failures: { infrastructure: 1 } } } });
    const isBatch = ({ route }: { route: string }) => route.endsWith("/objects/batch");
    const fault = { matches: isBatch, status: 403, message: "Over the quota", times: 100 };
    world.github.faults.answer(fault);
    await world.addTask({ id: "text", files: ["src/**"] });
    world.moveToReady("text");
    await world.until("it is given up", async () => (await world.taskState("text")) === "failed");
    await world.settle();
    expect(world.comments("text").join()).toContain("cannot fetch the content of art/");
    expect(await world.journal()).toEqual([]);
  });

  it("are refused where an agent made up a pointer to content that nobody has", async () => {
    await createWorld({ repository: { limits: { attempts: 1 } } });
    const script = { writes: { "art/logo.psd": pointerTo(NEW) } };
    await world.addTask({ id: "logo", files: ["art/**"], script });
    world.moveToReady("logo");
    await world.until("it is refused", async () => (await world.taskState("logo")) === "failed");
    await world.settle();
    expect(world.comments("logo").join()).toContain("a pointer to content that nobody has");
    expect([...world.repository.refs.keys()]).toEqual(["refs/heads/main"]);
  });

  it("that somebody else changed meanwhile are a conflict as any other", async () => {
    await createWorld();
    const other = Buffer.from("ann's logo\n");
    const merged = { reads: ["art/logo.psd"], writes: { "art/logo.psd": "both\n" } };
    const script = { writes: { "art/logo.psd": NEW.toString() }, attempts: { 2: merged } };
    await world.addTask({ id: "logo", files: ["art/**"], script });
    world.moveToReady("logo");
    await world.untilColumn("In review", "logo");
    await world.settle();
    const files = { "art/logo.psd": await keepObject(world.repository, other) };
    await world.github.as("ann").push(world.repository, "main", { files, message: "hers" });
    world.github.as("bob").approve(world.pull("logo"));
    await world.until("it conflicts", async () =>
      (await world.tasks()).some(({ reason }) => /conflict/.test(reason)),
    );
    expect((await world.mainFiles())["art/logo.psd"]).toBe(pointerTo(other));
  });

  it("are worked on by contenders, and the change of the best one lands", async () => {
    await createWorld({
      repository: {
        scores: { size: { run: "wc -c < art/logo.psd" } },
        explore: { score: "size" },
      },
    });
    const long = Buffer.from("a much longer logo\n");
    const script = {
      writes: { "art/logo.psd": NEW.toString() },
      contenders: { 2: { writes: { "art/logo.psd": long.toString() } } },
    };
    const labels = ["candidates:2"];
    await world.addTask({ id: "logo", files: ["art/**"], labels, script });
    world.moveToReady("logo");
    await untilDone("logo");
    expect((await world.mainFiles())["art/logo.psd"]).toBe(pointerTo(long));
    expect([await isStored(long), await isStored(NEW)]).toEqual([true, false]);
  });
});
