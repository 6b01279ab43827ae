import { readFile } from "node:fs/promises";

/** The same distance from the sources as from the built files. */
const PACKAGE = new URL("../../package.json", import.meta.url);

export async function readVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(PACKAGE, "utf8")) as { readonly version: string };
  return version;
}
