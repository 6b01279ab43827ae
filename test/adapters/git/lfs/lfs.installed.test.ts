import { readFile, rename, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { keepObject, nameOf, pointerTo } from "../../../../local-github/lfs/objects.ts";
import { createGit } from "../../../../src/adapters/git/create-git.ts";
import type { GitWithLeftovers } from "../../../../src/adapters/git/create-git.ts";
import { contentPath } from "../../../../src/adapters/git/lfs/git-lfs.ts";
import { createAside } from "../../../../src/adapters/host/aside.ts";
import { createRescues } from "../../../../src/adapters/git/rescue/rescues.ts";
import { instant, repoName } from "../../../../src/domain/ids.ts";
import type { Workspace } from "../../../../src/ports/git.ts";
import { createTown } from "../../../local-github/town.ts";
import type { Town } from "../../../local-github/town.ts";
import { hasProgram } from "../../../support/installed.ts";
import { pathWithout } from "../../../support/path-without.ts";

const REPO = repoName("acme/app");
const LOGO = Buffer.from("a logo\n");
const now = () => instant(Date.now());
const NEW = Buffer.from("a new logo\n");

interface Scene {
  readonly town: Town;
  readonly dataDir: string;
  readonly mirror: string;
  readonly git: GitWithLeftovers;
  readonly gitWith: (path: string) => GitWithLeftovers;
}

async function aScene(files: Readonly<Record<string, string>> = {}): Promise<Scene> {
  const town = await createTown();
  await town.github.as("alice").push(town.app, "main", {
    message: "art",
    files: {
      ".gitattributes": "*.psd filter=lfs -text\n",
      "logo.psd": await keepObject(town.app, LOGO),
      ...files,
    },
  });
  const dataDir = await town.scratch();
  const gitWith = (path: string): GitWithLeftovers =>
    createGit({
      dataDir,
      remoteUrl: () => `${town.github.url}/acme/app.git`,
      token: () => town.token(),
      now,
      aside: createAside({ dataDir, now, say: () => undefined }),
      env: { PATH: path },
    });
  const mirror = join(dataDir, "mirrors", "acme", "app.git");
  return { town, dataDir, mirror, gitWith, git: gitWith(process.env.PATH ?? "") };
}

async function open({ git }: Pick<Scene, "git">, id: string): Promise<Workspace> {
  return git.openWorkspace({ repo: REPO, id, base: await git.fetchBranch(REPO, "main") });
}

const at = ({ path }: Workspace, file = "logo.psd"): string => join(path, file);
const touch = async (file: string): Promise<void> => utimes(file, new Date(), new Date());

describe.runIf(hasProgram("git-lfs"))("a workspace with files of Git LFS", () => {
  it("leaves a file alone that was committed as it is, until somebody changes it", async () => {
    const scene = await aScene({ "old.psd": "never was a pointer\n" });
    const workspace = await open(scene, "one");
    expect(await readFile(at(workspace), "utf8")).toBe("a logo\n");
    for (const name of ["old.psd", "logo.psd"]) await touch(at(workspace, name));
    expect((await scene.git.diffWorkspace(workspace)).paths).toEqual([]);
    await writeFile(at(workspace, "old.psd"), NEW);
    const { paths, tree } = await scene.git.diffWorkspace(workspace);
    expect(paths).toEqual(["old.psd"]);
    const stored = await execa("git", ["-C", scene.mirror, "show", `${tree}:old.psd`]);
    expect(`${stored.stdout}\n`).toBe(pointerTo(NEW));
  });

  it("has content as soon as git-lfs is installed, though an older one is used again", async () => {
    const scene = await aScene();
    const before = scene.gitWith(await pathWithout("git-lfs"));
    const first = await open({ git: before }, "one");
    expect(await readFile(at(first), "utf8")).toBe(pointerTo(LOGO));
    await before.closeWorkspace(first);
    const second = await open(scene, "two");
    expect(await readFile(at(second), "utf8")).toBe("a logo\n");
    expect((await scene.git.diffWorkspace(second)).paths).toEqual([]);
  });

  it.each([
    ["says nothing of Git LFS", ""],
    [
      "has been told by git lfs install",
      `[filter "lfs"]
  clean = git-lfs clean -- %f
  smudge = git-lfs smudge -- %f
  process = git-lfs filter-process
  required = true
`,
    ],
  ])(
    "has a git for the agent in which nothing seems changed or gets lost, on a machine that %s",
    async (_, settings) => {
      const scene = await aScene({ ".lfsconfig": "[lfs]\n\turl = http://127.0.0.1:9/\n" });
      const workspace = await open(scene, "one");
      const system = join(scene.dataDir, "gitconfig");
      await writeFile(system, settings);
      const env = { GIT_CONFIG_SYSTEM: system, GIT_CONFIG_GLOBAL: "/dev/null" };
      const git = async (...args: readonly string[]): Promise<string> =>
        (await execa("git", args, { cwd: workspace.path, env })).stdout;
      await touch(at(workspace));
      expect(await git("status", "--porcelain")).toBe("");
      await writeFile(at(workspace), NEW);
      await git("stash");
      await git("stash", "pop");
      expect(await readFile(at(workspace), "utf8")).toBe("a new logo\n");
      await git("commit", "--quiet", "--all", "--message=new");
      expect(`${await git("show", "HEAD:logo.psd")}\n`).toBe(pointerTo(NEW));
      expect((await scene.git.diffWorkspace(workspace)).paths).toEqual(["logo.psd"]);
      // A sandbox shows the mirror's objects alone.
      const [shown, hidden] = [join(scene.mirror, "lfs"), join(scene.mirror, "hidden")];
      await rename(shown, hidden);
      await rm(join(await git("rev-parse", "--git-common-dir"), "lfs"), { recursive: true });
      await git("checkout", "--quiet", "HEAD^", "--", "logo.psd");
      await rename(hidden, shown);
      expect(await readFile(at(workspace), "utf8")).toBe(pointerTo(LOGO));
      expect((await scene.git.diffWorkspace(workspace)).paths).toEqual([]);
    },
  );

  it("is saved with its content, which outlives the mirror and comes with the rescued work", async () => {
    const scene = await aScene();
    const workspace = await open(scene, "one");
    await writeFile(at(workspace), NEW);
    await scene.git.rescueWorkspace(workspace);
    await scene.git.closeWorkspace(workspace);
    await scene.git.close();
    await truncate(join(scene.mirror, "HEAD"), 0);
    const git = scene.gitWith(process.env.PATH ?? "");
    await git.tendMirrors();

    const rescues = createRescues(scene.dataDir, { PATH: process.env.PATH ?? "" });
    const [rescue] = await rescues.list();
    if (rescue === undefined) throw new Error("nothing was rescued");
    const folder = join(await scene.town.scratch(), "files");
    await rescues.intoFolder(rescue, folder);
    expect(await readFile(join(folder, "logo.psd"), "utf8")).toBe("a new logo\n");
    const clone = await scene.town.scratch();
    await scene.town.git(clone, "clone", "-q", scene.town.remote(await scene.town.token()), ".");
    await rescues.toBranch(rescue, "saved", clone);
    const content = contentPath(join(clone, ".git", "lfs"), nameOf(NEW).oid);
    expect(await readFile(content, "utf8")).toBe("a new logo\n");
  });
});
