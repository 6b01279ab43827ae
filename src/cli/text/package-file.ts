import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { parse } from "yaml";

/**
 * Finds a file that comes with the program, beside its `package.json`. It is looked for upwards, because the sources are deeper below it
 * than the built files.
 */
export function packageFile(name: "package.json" | "app.yml"): URL {
  let folder = new URL("./", import.meta.url);
  while (!existsSync(new URL("package.json", folder))) folder = new URL("../", folder);
  return new URL(name, folder);
}

export async function readVersion(): Promise<string> {
  const text = await readFile(packageFile("package.json"), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}

/** The app asks for this on GitHub; the local GitHub grants it no more. */
interface AppManifest {
  readonly permissions: Readonly<Record<string, "read" | "write">>;
  readonly events: readonly string[];
}

export async function readAppManifest(): Promise<AppManifest> {
  const manifest = parse(await readFile(packageFile("app.yml"), "utf8")) as {
    readonly default_permissions: AppManifest["permissions"];
    readonly default_events: AppManifest["events"];
  };
  return { permissions: manifest.default_permissions, events: manifest.default_events };
}
