import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findInside } from "../../../src/adapters/sandbox/find-inside.ts";
import type { Sandbox } from "../../../src/ports/sandbox.ts";

const PATH = process.env["PATH"] ?? "";
const OPEN: Sandbox = { level: "none", wrap: (argv) => argv };
/** Its commands find no program by its name alone. */
const BARE: Sandbox = { level: "bubblewrap", wrap: (argv) => ["env", "PATH=/nowhere", ...argv] };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wavetrain-inside-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function script(firstLine: string, mode = 0o755): Promise<string> {
  const path = join(folder, "agent");
  await writeFile(path, `${firstLine}\necho never run\n`);
  await chmod(path, mode);
  return path;
}

function look(program: string, sandbox = OPEN, files: readonly string[] = []) {
  return findInside({ program, files }, sandbox, { PATH });
}

describe("findInside", () => {
  it("finds what a command in the sandbox would find, without running it", async () => {
    expect(await look("sh")).toEqual({ kind: "found" });
    expect(await look(await script("#!/bin/sh"))).toEqual({ kind: "found" });
    expect(await look(await script("#!/usr/bin/env -S sh -e"))).toEqual({ kind: "found" });
  });

  it("misses what is there for the server alone", async () => {
    expect(await look("sh", BARE)).toEqual({ kind: "missing", name: "sh" });
    const plain = await script("#!/bin/sh", 0o644);
    expect(await look(plain)).toEqual({ kind: "missing", name: plain });
    const agent = await script("#!/usr/bin/env node");
    expect(await look(agent, BARE)).toEqual({ kind: "missing", name: "node" });
    const other = await script("#!/opt/no such/node");
    expect(await look(other)).toEqual({ kind: "missing", name: "/opt/no" });
  });

  it("looks for files that the command names only where the server has them", async () => {
    const agent = await script("x");
    expect(await look("sh", OPEN, [agent, "/no/such/file"])).toEqual({ kind: "found" });
  });

  it("says why it could not be tried", async () => {
    const broken: Sandbox = { level: "bubblewrap", wrap: () => ["no-such-sandbox"] };
    expect(await look("sh", broken)).toEqual({
      kind: "untried",
      reason: "no-such-sandbox is not installed",
    });
  });
});
