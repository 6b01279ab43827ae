// Makes the program that people start: `npx tsx build.ts`, which is the last step of `npm run build`.
// A few files instead of a thousand: reading the packages one file at a time took most of the second that a start lasted.
import { cp, mkdir, readdir, rm, symlink } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL(".", import.meta.url));
/** Has a binary of its own for each platform. */
const NATIVE = ["libsql"];
/** Looked for by `pg` and nowhere installed. */
const ABSENT = ["pg-native"];
/** Started as processes of their own. */
const APART = ["local-github/git/git-runner.mjs"];

/** Below `folder`, with all that the program looks for around itself; answers the file to start. */
export async function buildApart(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const file of ["app.yml", "package.json"]) await cp(join(ROOT, file), join(folder, file));
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return buildInto(join(folder, "dist"));
}

async function buildInto(dist: string): Promise<string> {
  const { metafile } = await build({
    entryPoints: {
      main: join(ROOT, "src/cli/main.ts"),
      // A program of its own, looked for beside whatever starts it.
      "egress-gate": join(ROOT, "src/adapters/sandbox/egress/gate.ts"),
    },
    outdir: join(dist, "cli"),
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node20.19",
    format: "esm",
    sourcemap: true,
    metafile: true,
    absWorkingDir: ROOT,
    logLevel: "error",
    external: [...NATIVE, ...ABSENT],
    // Packages in the older format ask for others by `require`, which modules do not have.
    banner: {
      js: `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);`,
    },
  });
  const built = new Set(Object.keys(metafile.outputs).map((path) => resolve(ROOT, path)));
  for (const program of APART) {
    const path = join(dist, "cli", basename(program));
    await cp(join(ROOT, program), path);
    built.add(path);
  }
  await removeOthers(dist, built);
  return join(dist, "cli", "main.js");
}

/** What an earlier build left. The present files stay in place all the while: a program that was started from them may read one late. */
async function removeOthers(dist: string, built: ReadonlySet<string>): Promise<void> {
  for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !built.has(path)) await rm(path);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildInto(join(ROOT, "dist"));
