import { lstat, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import type { RepoName } from "../../domain/ids.ts";
import type { MirrorGit } from "./mirror-git.ts";

/** Neither what git had begun to write when it was killed, nor locks. */
const WHOLE_FILE =
  /^(?:HEAD|config|objects\/[0-9a-f]{2}\/[0-9a-f]{38,}|objects\/pack\/.*\.(?:pack|idx))$/;
const REF = /^refs\/.*(?<!\.lock)$/;
const FOLDER = /^(?:refs|objects|objects\/(?:[0-9a-f]{2}|info|pack))$/;

/** What is wrong with a mirror, as far as it shows at a glance. */
export async function findTrouble(git: MirrorGit, repo: RepoName): Promise<string | undefined> {
  const odd = await findOddEntry(git.layout.mirror(repo));
  if (odd !== undefined) return odd;
  const listed = await git.run({ repo, args: ["for-each-ref", "--format=%(objecttype)"] });
  if (listed.code === 0 && listed.stderr === "") return undefined;
  return `git cannot use it: ${firstLine(listed.stderr)}`;
}

/** The same, looked for in every object: takes long on a large repository. */
export async function findHiddenTrouble(
  git: MirrorGit,
  repo: RepoName,
): Promise<string | undefined> {
  const trouble = await findTrouble(git, repo);
  if (trouble !== undefined) return trouble;
  const checked = await git.run({ repo, args: ["fsck", "--no-dangling", "--no-progress"] });
  if (checked.code === 0) return undefined;
  const [damage] = `${checked.stderr}\n${checked.stdout}`.split("\n").filter(isDamage);
  return damage === undefined ? undefined : `git finds it damaged: ${damage}`;
}

/** Old histories have commits and trees that git would not write today (`error in commit …`): these are whole all the same. */
function isDamage(line: string): boolean {
  return line !== "" && !/^(?:(?:error|warning) in |notice: |dangling )/.test(line);
}

/** What git only notices when it needs that very file, and never says in a way that others understand. */
async function findOddEntry(mirror: string): Promise<string | undefined> {
  const entries = await readdir(mirror, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(mirror, path);
    if (FOLDER.test(name) && !entry.isDirectory()) return `its ${name} is no folder`;
    if (WHOLE_FILE.test(name) && !entry.isFile()) return `its ${name} is no file`;
    const mustBeWhole = entry.isFile() && (WHOLE_FILE.test(name) || REF.test(name));
    // What a crash of the machine leaves of a file that was just written.
    if (mustBeWhole && (await isEmpty(path))) return `its ${name} is empty`;
  }
  return undefined;
}

function isEmpty(path: string): Promise<boolean> {
  return lstat(path).then(
    ({ size }) => size === 0,
    () => false,
  );
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}
