import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readProcTable, readPsTable } from "../../../src/adapters/process/process-table.ts";

let child: ChildProcess;
beforeEach(async () => {
  // Ready when it says so: its environment is set only after the fork.
  child = spawn("sh", ["-c", "echo; read line"], {
    detached: true,
    env: { PATH: process.env["PATH"], WAVETRAIN_RUN_ID: "table-test" },
  });
  await once(child.stdout!, "data");
});
afterEach(() => {
  child.kill("SIGKILL");
});

describe.each([
  {
    name: "readProcTable",
    read: () => Promise.resolve(readProcTable()),
    here: process.platform === "linux",
  },
  { name: "readPsTable", read: readPsTable, here: true },
])("$name", ({ read, here }) => {
  it.runIf(here)("tells parent, group, session and run of a process", async () => {
    const rows = await read();
    const session = process.platform === "darwin" ? 0 : child.pid;
    expect(rows.find(({ pid }) => pid === child.pid)).toMatchObject({
      parent: process.pid,
      group: child.pid,
      session,
      runId: "table-test",
    });
    expect(rows.find(({ pid }) => pid === process.pid)?.runId).toBeUndefined();
  });
});

describe.runIf(process.platform === "linux")("a reading of /proc", () => {
  it("has a process that began while the others were read", () => {
    const others = ["1"];
    const listings = [others, [...others, String(child.pid)]];
    const rows = readProcTable(() => listings.shift() ?? others);
    expect(rows.map(({ pid }) => pid)).toContain(child.pid);
  });

  it("finds the run behind a long environment", async () => {
    const long = "ä".repeat(50_000);
    const verbose = spawn("sh", ["-c", "echo; read line"], {
      env: { PATH: process.env["PATH"], A: long, B: long, WAVETRAIN_RUN_ID: "last of all" },
    });
    try {
      await once(verbose.stdout, "data");
      expect(readProcTable().find(({ pid }) => pid === verbose.pid)?.runId).toBe("last of all");
    } finally {
      verbose.kill("SIGKILL");
    }
  });

  it("takes no other variable for the run's", async () => {
    const other = spawn("sh", ["-c", "echo; read line"], {
      env: { PATH: process.env["PATH"], MY_WAVETRAIN_RUN_ID: "x", Z: "WAVETRAIN_RUN_ID=y" },
    });
    try {
      await once(other.stdout, "data");
      expect(readProcTable().find(({ pid }) => pid === other.pid)?.runId).toBeUndefined();
    } finally {
      other.kill("SIGKILL");
    }
  });
});
