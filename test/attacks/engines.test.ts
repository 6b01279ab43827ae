import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";

interface LockedPackage {
  readonly dev?: boolean;
  readonly engines?: { readonly node?: string };
}

const read = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(`../../${name}`, import.meta.url), "utf8"));
const { packages } = (await read("package-lock.json")) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

type Version = readonly [major: number, minor: number, patch: number];

function versionIn(text: string): Version {
  const [major = 0, minor = 0, patch = 0] = text.split(".").map((part) => Number(part) || 0);
  return [major, minor, patch];
}

function isAtLeast(version: Version, least: Version): boolean {
  const at = version.findIndex((part, index) => part !== least[index]);
  return at === -1 || (version[at] ?? 0) > (least[at] ?? 0);
}

/** The ranges that packages write in practice; another one has to be added here. */
function allows(range: string, version: Version): boolean {
  return range.split("||").some((part) => {
    const [, mark = "", said = ""] = /^\s*(>=|\^)?\s*([\d.]+(?:\.[x*])?|\*)\s*$/.exec(part) ?? [];
    if (said === "") throw new Error(`cannot judge ${range}`);
    if (said === "*") return true;
    const least = versionIn(said);
    if (mark === ">=") return isAtLeast(version, least);
    return version[0] === least[0] && isAtLeast(version, least);
  });
}

describe("15: the oldest Node that we name", () => {
  it.each(["20.19.0", "22.12.0", "24.0.0"])("%s runs us and everything that we need", (text) => {
    const version = versionIn(text);
    const unfit = Object.entries(packages)
      .filter(([, { dev }]) => dev !== true)
      .filter(([, { engines }]) => engines?.node !== undefined && !allows(engines.node, version))
      .map(([name, { engines }]) => `${name} wants ${String(engines?.node)}`);
    expect(unfit).toEqual([]);
  });

  it.each(["20.18.3", "21.7.0", "22.11.0"])("%s is not one", (text) => {
    expect(allows(packages[""]?.engines?.node ?? "*", versionIn(text))).toBe(false);
  });
});
