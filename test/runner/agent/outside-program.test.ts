import { describe, expect, it } from "vitest";
import { wordOutside } from "../../../src/runner/agent/outside-program.ts";
import type { LookedFor } from "../../../src/runner/agent/outside-program.ts";

const OURS = "/opt/ours/agent";

function outside(members: Partial<LookedFor>) {
  const found = { kind: "missing", name: members.program ?? OURS } as const;
  const looked = { program: OURS, path: OURS, level: "bubblewrap", image: undefined } as const;
  return wordOutside({ ...looked, found, ...members });
}

describe("wordOutside", () => {
  it("names the folder to show", () => {
    expect(outside({})).toEqual({
      what: "the program /opt/ours/agent is on this machine, but not in the sandbox",
      fix: "add it to the operator's file, as readable: [/opt/ours]",
    });
  });

  it.each(["/opt/agent", "/home/ann/agent", "/root/agent", "/tmp/agent"])(
    "names the file alone where its folder holds other things: %s",
    (path) => {
      expect(outside({ program: path, path })?.fix).toContain(`readable: [${path}]`);
    },
  );

  it("names the file that a program needs", () => {
    const found = { kind: "missing", name: "/opt/node/bin/node" } as const;
    expect(outside({ program: "agent", path: "/usr/bin/agent", found })).toEqual({
      what: "agent needs /opt/node/bin/node, which is not in the sandbox",
      fix: "add it to the operator's file, as readable: [/opt/node/bin]",
    });
  });

  it("says what else can be missing, and nothing where all is there", () => {
    expect(outside({ path: undefined })?.what).toBe("the program /opt/ours/agent is not found");
    expect(outside({ level: "container", image: "i:1" })?.what).toBe(
      "the image i:1 has no program /opt/ours/agent",
    );
    expect(outside({ found: { kind: "found" } })).toBeUndefined();
    expect(outside({ found: { kind: "untried", reason: "slow" } })).toBeUndefined();
  });
});
