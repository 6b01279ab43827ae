import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import * as z from "zod";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";

const schema = z.object({
  appId: z.number().int().positive(),
  slug: z.string(),
  /** This is the app's page on GitHub. */
  page: z.string(),
  privateKey: z.string().startsWith("-----BEGIN"),
  webhookSecret: z.string().min(1),
});

/** This is the app that `wavetrain setup` made. */
export type SavedApp = z.infer<typeof schema>;

export function savedAppFile(dataDir: string): string {
  return join(resolve(dataDir), "github-app.json");
}

/** Returns undefined when no app was made. No message repeats the text of a file that cannot be used. */
export async function readSavedApp(dataDir: string): Promise<Result<SavedApp | undefined, string>> {
  const file = savedAppFile(dataDir);
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "an error";
    if (code === "ENOENT" || code === "ENOTDIR") return ok(undefined);
    return fail(`${file}: cannot be read (${code})`);
  }
  const read = schema.safeParse(jsonOf(text));
  return read.success ? ok(read.data) : fail(`${file}: is not what \`wavetrain setup\` wrote`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schema refuses it like anything else that is wrong.
    return undefined;
  }
}

/** Writes a file that its owner alone can read; it is written as a whole or not at all. */
export async function saveApp(dataDir: string, app: SavedApp): Promise<string> {
  const file = savedAppFile(dataDir);
  await mkdir(resolve(dataDir), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  await rm(draft, { force: true });
  await writeFile(draft, `${JSON.stringify(app, undefined, 2)}\n`, { flag: "wx", mode: 0o600 });
  await rename(draft, file);
  return file;
}

/** Returns the file's path when others than its owner may read it. */
export async function exposedAppFile(dataDir: string): Promise<string | undefined> {
  const file = savedAppFile(dataDir);
  const mode = await stat(file).then(
    (found) => found.mode,
    () => 0,
  );
  return (mode & 0o077) === 0 ? undefined : file;
}
