import { readFile } from "node:fs/promises";
import { parse } from "yaml";

/** What the app asks for on GitHub: the local GitHub grants it no more. */
export interface AppManifest {
  readonly permissions: Readonly<Record<string, "read" | "write">>;
  readonly events: readonly string[];
}

/** The same distance from the sources as from the built files. */
const MANIFEST = new URL("../../../app.yml", import.meta.url);

export async function readAppManifest(): Promise<AppManifest> {
  const manifest = parse(await readFile(MANIFEST, "utf8")) as {
    readonly default_permissions: AppManifest["permissions"];
    readonly default_events: AppManifest["events"];
  };
  return { permissions: manifest.default_permissions, events: manifest.default_events };
}
