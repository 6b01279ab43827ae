import { execFile } from "node:child_process";
import { copyFile, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Compiles the program as the package has it; answers the file to start. */
export async function buildProgram(folder: string): Promise<string> {
  const dist = join(folder, "dist");
  await mkdir(dist, { recursive: true });
  for (const file of ["package.json", "app.yml"]) {
    await copyFile(join(ROOT, file), join(folder, file));
  }
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const project = join(ROOT, "tsconfig.build.json");
  await promisify(execFile)(process.execPath, [compiler, "-p", project, "--outDir", dist]);
  return join(dist, "cli", "main.js");
}
