import { readFile } from "node:fs/promises";
import { packageFile } from "./package-file.ts";

export async function readVersion(): Promise<string> {
  const text = await readFile(packageFile("package.json"), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}
