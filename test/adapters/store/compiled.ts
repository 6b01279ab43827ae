import { mkdir, readFile, readdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const SOURCES = [
  "src/domain",
  "src/shared",
  "src/ports",
  "src/adapters/store",
  "test/adapters/store",
  "test/support",
];

/**
 * Writes the store, this folder and the builders as JavaScript under `target`, where the path of a file is that of its source. A child process that starts
 * from there is ready in a fifth of the time that compiling on the fly takes: dozens of starts fit into a test.
 */
export async function compileStore(target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  await writeFile(join(target, "package.json"), `{ "type": "module" }`);
  await symlink(join(ROOT, "node_modules"), join(target, "node_modules"));
  for (const folder of SOURCES) {
    const files = await readdir(join(ROOT, folder), { recursive: true });
    for (const file of files.filter((name) => name.endsWith(".ts"))) {
      await compile(join(ROOT, folder, file), join(target, folder, file.replace(/ts$/, "js")));
    }
  }
}

async function compile(source: string, target: string): Promise<void> {
  const { outputText } = ts.transpileModule(await readFile(source, "utf8"), {
    compilerOptions: {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2023,
      verbatimModuleSyntax: true,
      rewriteRelativeImportExtensions: true,
    },
  });
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, outputText);
}
