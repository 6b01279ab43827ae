import { cp, mkdir, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

interface Bundler {
  readonly build: (options: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

/**
 * Writes the command line as a few files of JavaScript below `target` and answers the one to start: a process that starts from there
 * is ready in a fifth of the time that compiling on the fly takes, so hundreds of starts fit into a test.
 */
export async function bundleApp(target: string): Promise<string> {
  const outdir = join(target, "dist", "cli");
  await mkdir(outdir, { recursive: true });
  await cp(join(ROOT, "package.json"), join(target, "package.json"));
  await symlink(join(ROOT, "node_modules"), join(target, "node_modules"));
  const fromTsx = createRequire(createRequire(import.meta.url).resolve("tsx/package.json"));
  const { build } = fromTsx("esbuild") as Bundler;
  await build({
    entryPoints: [join(ROOT, "src/cli/main.ts")],
    outdir,
    ...{ bundle: true, platform: "node", format: "esm", splitting: true, logLevel: "error" },
    external: ["libsql", "pg", "pg-native"],
    banner: {
      js: `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);`,
    },
  });
  return join(outdir, "main.js");
}
