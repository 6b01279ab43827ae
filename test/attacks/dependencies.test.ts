import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";

interface Locked {
  readonly dev?: boolean;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
}

const { packages } = JSON.parse(await readFile("package-lock.json", "utf8")) as {
  readonly packages: Readonly<Record<string, Locked>>;
};
const locked = Object.entries(packages).filter(([path]) => path !== "");

describe("packages that we did not write", () => {
  it("are what they were when they were chosen: each has its hash", () => {
    expect(locked.length).toBeGreaterThan(100);
    expect(locked.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? ""))).toEqual([]);
  });

  it("run no script when the server is installed", () => {
    const shipped = locked.filter(([, { dev }]) => dev !== true);
    expect(shipped.filter(([, { hasInstallScript }]) => hasInstallScript === true)).toEqual([]);
  });
});
