import { afterEach, describe, expect, it } from "vitest";
import { repoName } from "../../src/domain/ids.ts";
import { pathWithout } from "../support/path-without.ts";
import { World } from "../support/world.ts";

let world: World;
afterEach(() => world.close());

const WORKFLOW = ".github/workflows/ci.yml";

async function reasonOf(id: string): Promise<string | undefined> {
  const { tasks } = await world.app.store.readRepo(repoName("acme/shop"));
  return tasks.find(({ issue }) => issue === world.issue(id).number)?.reason;
}

describe("what no run can change", () => {
  it("blocks a task on workflow files before it is paid for, until the permission is granted", async () => {
    world = await World.create();
    const script = { writes: { [WORKFLOW]: "on: push\n" } };
    await world.addTask({ id: "ci", files: [WORKFLOW], script });
    world.moveToReady("ci");
    await world.untilColumn("Blocked", "ci");
    await world.settle();
    expect(await world.journal()).toEqual([]);
    expect(world.comments("ci")[0]).toContain("lacks the permission workflows: write");
    expect(world.comments("ci")[0]).toContain("accept it for acme");

    const [installation] = world.github.world.installations;
    if (installation === undefined) throw new Error("the app is not installed");
    world.github.as("ann").acceptPermissions(installation, { workflows: "write" });
    await world.untilColumn("In review", "ci");
    world.github.as("bob").approve(world.pull("ci"));
    await world.untilColumn("Done", "ci");
    expect(await world.mainFiles()).toHaveProperty(WORKFLOW);
  });

  it("blocks a task on files that Git LFS keeps, and goes on when it keeps them no longer", async () => {
    world = await World.create({
      environment: { PATH: await pathWithout("git-lfs") },
      files: {
        "README.md": "# shop\n",
        ".gitattributes": "*.psd filter=lfs -text\n",
        "logo.psd": "pointer\n",
      },
    });
    await world.addTask({ id: "logo", files: ["logo.psd"] });
    world.moveToReady("logo");
    await world.untilColumn("Blocked", "logo");
    expect(await reasonOf("logo")).toContain("logo.psd is kept by Git LFS (**/*.psd)");
    expect(await world.journal()).toEqual([]);

    const files = { ".gitattributes": "*.psd -text\n" };
    await world.github.as("ann").push(world.repository, "main", { files, message: "plain" });
    await world.untilColumn("In review", "logo");
  });

  it("never commits plain bytes in the place of a pointer of Git LFS, however wide the claim is", async () => {
    const pointer = "version https://git-lfs.github.com/spec/v1\n";
    world = await World.create({
      environment: { PATH: await pathWithout("git-lfs") },
      files: {
        "README.md": "# shop\n",
        "src/a.txt": "a\n",
        ".gitattributes": "*.PSD -filter\n*.psd filter=lfs -text\n",
        "assets/logo.psd": pointer,
      },
      repository: { limits: { attempts: 1 } },
    });
    const writes = { "assets/logo.psd": "bytes\n", "assets/new.psd": "bytes\n" };
    await world.addTask({ id: "bytes", files: ["assets/**"], script: { writes } });
    const plain = { writes: { "other/logo.PSD": "bytes\n" } };
    await world.addTask({ id: "plain", files: ["other/**"], script: plain });
    world.moveToReady("bytes", "plain");
    await world.until("it is refused", async () => (await world.taskState("bytes")) === "failed");
    expect(await reasonOf("bytes")).toContain(
      "the runner wrote assets/logo.psd, assets/new.psd, kept by Git LFS",
    );
    expect(await world.mainFiles()).toHaveProperty(["assets/logo.psd"], pointer);
    await world.untilColumn("In review", "plain");
  });
});
