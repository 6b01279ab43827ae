import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { isAtLeast } from "../../src/doctor/decide/decide-host.ts";

interface LockedPackage {
  readonly dev?: boolean;
  readonly engines?: { readonly node?: string };
}

const read = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(`../../${name}`, import.meta.url), "utf8"));
const { packages } = (await read("package-lock.json")) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

/** The ranges that packages write in practice; another one has to be added here. */
function allows(range: string, version: string): boolean {
  return range.split("||").some((part) => {
    const [, mark = "", said = ""] = /^\s*(>=|\^)?\s*([\d.]+(?:\.[x*])?|\*)\s*$/.exec(part) ?? [];
    if (said === "") throw new Error(`cannot judge ${range}`);
    if (said === "*") return true;
    const least = said.replace(/[*x]$/, "0");
    const isSameMajor = version.split(".")[0] === least.split(".")[0];
    return isAtLeast(version, least) && (mark === ">=" || isSameMajor);
  });
}

describe("15: the oldest Node that we name", () => {
  it.each(["20.19.0", "22.12.0", "24.0.0"])("%s runs us and everything that we need", (version) => {
    const unfit = Object.entries(packages)
      .filter(([, { dev }]) => dev !== true)
      .filter(([, { engines }]) => engines?.node !== undefined && !allows(engines.node, version))
      .map(([name, { engines }]) => `${name} wants ${String(engines?.node)}`);
    expect(unfit).toEqual([]);
  });

  it.each(["20.18.3", "21.7.0", "22.11.0"])("%s is not one", (version) => {
    expect(allows(packages[""]?.engines?.node ?? "*", version)).toBe(false);
  });
});
