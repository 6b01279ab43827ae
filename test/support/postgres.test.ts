import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";

const CHILD = new URL("../adapters/store/children/postgres-owner.ts", import.meta.url).pathname;

describe("a PostgreSQL of the tests", () => {
  it("ends and leaves no files when the process that started it is killed", async () => {
    const child = spawn(process.execPath, ["--import", "tsx", CHILD], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const [pid = "", folder = ""] = line.toString().trim().split(" ");
    expect(isAlive(Number(pid))).toBe(true);
    child.kill("SIGKILL");
    await vi.waitFor(
      () => expect([isAlive(Number(pid)), existsSync(folder)]).toEqual([false, false]),
      {
        timeout: 60_000,
      },
    );
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // No such process.
    return false;
  }
}
