import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { packageFile } from "../package-file.ts";

/** What the app asks for on GitHub: the local GitHub grants it no more. */
export interface AppManifest {
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
