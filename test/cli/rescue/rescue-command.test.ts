import { execFile } from "node:child_process";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGitSandbox, writeFiles, type GitSandbox } from "../../adapters/git/git-sandbox.ts";
import { bundledApp } from "../../support/bundle-app.ts";

const RUN = "octo.shop.12.1";

let sandbox: GitSandbox;
beforeEach(async () => {
  sandbox = await createGitSandbox();
  const workspace = await sandbox.open(RUN);
  await writeFiles(workspace.path, { "src/a.ts": "changed\n", "src/new.ts": "new\n" });
  await sandbox.git.rescueWorkspace(workspace);
  await sandbox.git.closeWorkspace(workspace);
});
afterEach(() => sandbox.remove());

function rescue(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  return wavetrain(["rescue", ...args, "--data-dir", sandbox.dataDir]);
}

async function wavetrain(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<{ code: number; out: string; err: string }> {
  const program = await bundledApp();
  const env = { ...process.env, WAVETRAIN_DATA_DIR: "", WAVETRAIN_CONFIG: "", ...variables };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { env }, (error, out, err) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, out, err });
    });
  });
}

describe("wavetrain rescue", () => {
  it("lists saved work for people and for scripts", async () => {
    const [table, json] = await Promise.all([rescue("list"), rescue("list", "--json")]);
    expect(table.out).toMatch(
      /2023-11-14 22:13 +octo\/shop#12 +2 +12 B +octo\/shop:octo.shop.12.1/,
    );
    expect(JSON.parse(json.out)).toMatchObject({
      rescues: [
        {
          ref: "octo/shop:octo.shop.12.1",
          repo: "octo/shop",
          task: "octo/shop#12",
          run: RUN,
          when: "2023-11-14T22:13:20.000Z",
          files: 2,
          bytes: 12,
        },
      ],
    });
  });

  it("lists work that only deleted files", async () => {
    const workspace = await sandbox.open("octo.shop.13.1");
    await writeFiles(workspace.path, { "src/a.ts": null });
    await sandbox.git.rescueWorkspace(workspace);
    expect((await rescue("list")).out).toMatch(/octo\/shop#13 +1 +0 B/);
  });

  it("finds the data folder as the server does: --config, then WAVETRAIN_CONFIG", async () => {
    const [here, nowhere] = ["here.yml", "nowhere.yml"].map((name) => join(sandbox.root, name));
    const runners = "runners: { one: { command: 'true' } }";
    await writeFile(here ?? "", `dataDir: ${sandbox.dataDir}\n${runners}\n`);
    await writeFile(nowhere ?? "", `dataDir: ${sandbox.root}/none\n${runners}\n`);
    const byVariable = await wavetrain(["rescue"], { WAVETRAIN_CONFIG: here ?? "" });
    expect(byVariable.out).toContain(RUN);
    const list = ["rescue", "list", "--config", here ?? ""];
    expect((await wavetrain(list, { WAVETRAIN_CONFIG: nowhere ?? "" })).out).toContain(RUN);
    const wrong = await wavetrain(["rescue"], { WAVETRAIN_CONFIG: nowhere ?? "" });
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.err).toContain(`${sandbox.root}/none: no such folder`);
  });

  it("shows what it changed", async () => {
    const { out } = await rescue("show", RUN);
    expect(out).toContain("src/a.ts");
    expect(out).toContain("2 files changed, 2 insertions(+), 1 deletion(-)");
  });

  it("restores it as a branch of one's own clone, but never over another", async () => {
    const person = join(sandbox.root, "person");
    const again = ["restore", RUN, "--to", "saved", "--repo", person];
    expect(await rescue(...again)).toMatchObject({ code: 0 });
    expect(await sandbox.shell(person, "show", "saved:src/new.ts")).toBe("new\n");
    expect(await rescue(...again)).toMatchObject({
      code: 1,
      err: "error: branch saved is there already\n",
    });
  });

  it("restores it as files, but never among others", async () => {
    const folder = join(sandbox.root, "restored");
    expect(await rescue("restore", `octo/shop:${RUN}`, "--into", folder)).toMatchObject({
      code: 0,
    });
    expect(await readdir(folder)).toEqual([".gitignore", "readme.md", "src"]);
    expect(await readFile(join(folder, "src/a.ts"), "utf8")).toBe("changed\n");
    expect(await rescue("restore", RUN, "--into", folder)).toMatchObject({
      code: 1,
      err: `error: ${folder} is not empty\n`,
    });
  });

  it.each([
    [["show", "nothing"], 1, "error: no saved work is called nothing\n"],
    [["restore", RUN], 2, "error: say either --to BRANCH or --into PATH\n"],
    [
      ["restore", RUN, "--to", "x", "--repo", "/"],
      1,
      "error: / is not the folder of a git repository\n",
    ],
    [["restore", RUN, "--to", "-x"], 1, 'error: not a branch name: "-x"\n'],
  ])("answers %j with one line", async (args, code, err) => {
    expect(await rescue(...args)).toMatchObject({ code, err });
  });
});
