import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { probeBubblewrap } from "../../src/adapters/sandbox/bubblewrap.ts";
import { shownPaths } from "../../src/adapters/sandbox/shown-paths.ts";
import { bubblewrapWorks } from "../support/installed.ts";

const WORKS = await bubblewrapWorks();

let root: string;
const at = (...path: readonly string[]): string => join(root, ...path);

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "wavetrain-shown-"));
  for (const folder of ["tree", "home", "tmp"])
    await mkdir(at("disk", "data", folder), { recursive: true });
  await writeFile(at("disk", "data", "key.pem"), "the key");
  await writeFile(at("disk", "tool.txt"), "a tool");
  await symlink(at("disk"), at("alias"));
  await symlink(at("disk", "data"), at("data"));
  await symlink(at("disk", "data", "key.pem"), at("innocent.txt"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe("6: a data folder and what may be read, with links on either side", () => {
  it("hides the folder by each of its names, and shows nothing that is in it", async () => {
    const wanted = [at("disk"), at("alias"), at("data"), at("innocent.txt"), at("disk", "data")];
    const { paths, hidden } = await shownPaths(wanted, at("data"));
    expect(paths).toEqual([at("disk"), at("alias")]);
    expect(hidden).toEqual([at("data"), at("disk", "data"), at("alias", "data")]);
  });

  it.skipIf(!WORKS)("the key cannot be read in bubblewrap, the rest can", async () => {
    const readable = [at("disk"), at("alias"), at("innocent.txt")];
    const probed = await probeBubblewrap({ dataDir: at("data"), readable, path: "/usr/bin:/bin" });
    if (!probed.ok) throw new Error(probed.error);
    const view = {
      marker: "run",
      readable: [],
      variables: {},
      workspace: at("disk", "data", "tree"),
      network: "open" as const,
      gate: at("gate"),
      home: at("disk", "data", "home"),
      tmp: at("disk", "data", "tmp"),
    };
    const names = [at("data"), at("disk", "data"), at("alias", "data")];
    const keys = [...names.map((name) => join(name, "key.pem")), at("innocent.txt")];
    const command = `cat ${keys.join(" ")} ${at("alias", "tool.txt")} 2>/dev/null; true`;
    const [program = "", ...args] = probed.value.wrap(["/bin/sh", "-c", command], view);
    expect((await promisify(execFile)(program, args)).stdout).toBe("a tool");
  });
});
