import { join } from "node:path";
import { buildApart } from "../../build.ts";
import { madeOnce } from "./made-once.ts";

/** The program as it is built for people; answers the file to start. */
export async function bundledApp(): Promise<string> {
  return join(await madeOnce("program", buildApart), "dist", "cli", "main.js");
}
