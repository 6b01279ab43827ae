import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFiles } from "../../../src/adapters/host/files.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "wavetrain-files-"));
});
afterEach(() => rm(root, { recursive: true }));

const files = createFiles({ PATH: `relative::/nowhere:${process.env.PATH ?? ""}` });

async function linesOf(text: string): Promise<readonly string[]> {
  const lines: string[] = [];
  await writeFile(join(root, "log"), text);
  await files.eachLine(join(root, "log"), (line) => lines.push(line));
  return lines;
}

describe("write", () => {
  it("writes through no link that a runner left in its HOME", async () => {
    const home = join(root, "home");
    await mkdir(join(root, "elsewhere"), { recursive: true });
    await mkdir(home);
    await writeFile(join(root, "victim"), "untouched");
    await symlink(join(root, "elsewhere"), join(home, ".codex"));
    await symlink(join(root, "victim"), join(home, "settings.json"));
    await mkdir(join(home, "folder", "inside"), { recursive: true });

    for (const path of [".codex/config.toml", "settings.json", "folder"]) {
      await files.write(home, path, "ours");
      expect(await readFile(join(home, path), "utf8")).toBe("ours");
    }
    expect(await readFile(join(root, "victim"), "utf8")).toBe("untouched");
    await expect(readFile(join(root, "elsewhere", "config.toml"))).rejects.toThrow();
  });

  it.each(["../out", "/etc/out", "a/../../out"])("refuses %s", async (path) => {
    await expect(files.write(root, path, "x")).rejects.toMatchObject({ code: "process-failed" });
  });
});

describe("holds", () => {
  it("finds a plain file at any depth, and follows no link", async () => {
    await mkdir(join(root, "home/sessions/2026/11"), { recursive: true });
    await mkdir(join(root, "elsewhere"));
    await writeFile(join(root, "home/sessions/2026/11/one.jsonl"), "");
    await writeFile(join(root, "elsewhere/two.jsonl"), "");
    await symlink(join(root, "elsewhere"), join(root, "home/sessions/link"));
    await symlink(join(root, "elsewhere"), join(root, "home/other"));
    await symlink(join(root, "elsewhere/two.jsonl"), join(root, "home/sessions/two.jsonl"));
    const holds = (below: string, name: string): Promise<boolean> =>
      files.holds(join(root, "home"), below, (found) => found === name);
    expect(await holds("sessions", "one.jsonl")).toBe(true);
    expect(await holds("sessions", "two.jsonl")).toBe(false);
    expect(await holds("other", "two.jsonl")).toBe(false);
    expect(await holds("nowhere", "one.jsonl")).toBe(false);
  });
});

describe("eachLine", () => {
  it("gives whole lines, the last one too, and none of a log that is not there", async () => {
    expect(await linesOf("one\n\ntwö\nthree")).toEqual(["one", "twö", "three"]);
    await files.eachLine(join(root, "missing"), () => expect.unreachable());
  });

  it("leaves out a line that would fill the memory", async () => {
    expect(await linesOf(`a\n${"x".repeat(3_000_000)}\nb`)).toEqual(["a", "b"]);
  });
});

describe("findProgram", () => {
  it("looks at the folders of PATH, and tells what is not there", async () => {
    expect(await files.findProgram("sh")).toMatch(/^\/.*\/sh$/);
    expect(await files.findProgram("no-such-agent")).toBeUndefined();
  });
});
