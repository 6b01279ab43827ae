import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readAsideNotes, createAside } from "../../../src/adapters/host/aside.ts";
import type { Oddity } from "../../../src/adapters/host/oddity.ts";
import { instant } from "../../../src/domain/ids.ts";

let dataDir: string;
let said: Oddity[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "wavetrain-aside-"));
  said = [];
});
afterEach(() => rm(dataDir, { recursive: true }));

const WHEN = "aside/2026-01-01T00-00-00.000Z";

function openAside() {
  const now = () => instant(Date.parse("2026-01-01T00:00:00Z"));
  return createAside({ dataDir, now, say: (oddity) => void said.push(oddity) });
}

const readText = (path: string) => readFile(join(dataDir, path), "utf8");

describe("putting something aside", () => {
  it("keeps it below the path that it had, and says so", async () => {
    const aside = openAside();
    await writeFile(join(dataDir, "stray"), "1");
    expect(await aside.put(join(dataDir, "stray"), "why not")).toBe(join(dataDir, WHEN, "stray"));
    expect(await readText(`${WHEN}/stray`)).toBe("1");
    expect(said).toEqual([{ path: "stray", why: "why not", movedTo: `${WHEN}/stray` }]);
  });

  it("keeps both where the same path is in the way twice", async () => {
    const aside = openAside();
    for (const text of ["1", "2"]) {
      await writeFile(join(dataDir, "stray"), text);
      await aside.put(join(dataDir, "stray"), "why not");
    }
    expect(await readText(`${WHEN}/stray`)).toBe("1");
    expect(await readText(`${WHEN}.2/stray`)).toBe("2");
  });

  it("keeps what is below a path that was a file before", async () => {
    const aside = openAside();
    await writeFile(join(dataDir, "trash"), "a file");
    await aside.put(join(dataDir, "trash"), "no folder");
    await mkdir(join(dataDir, "trash"));
    await writeFile(join(dataDir, "trash/stays"), "2");
    await aside.put(join(dataDir, "trash/stays"), "it cannot be deleted");
    expect(await readText(`${WHEN}/trash`)).toBe("a file");
    expect(await readText(`${WHEN}.2/trash/stays`)).toBe("2");
    expect(await readAsideNotes(dataDir)).toEqual(said);
  });

  it("says nothing of what is gone", async () => {
    expect(await openAside().put(join(dataDir, "gone"), "why not")).toBeUndefined();
    expect(said).toEqual([]);
  });
});
