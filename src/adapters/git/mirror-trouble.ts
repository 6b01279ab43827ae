import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { RepoName } from "../../domain/ids.ts";
import type { MirrorGit } from "./mirror-git.ts";

/** Neither what git had begun to write when it was killed, nor locks. */
const WHOLE_FILE =
  /^(?:HEAD|config|refs\/.*(?<!\.lock)|objects\/[0-9a-f]{2}\/[0-9a-f]+|objects\/pack\/.*\.(?:pack|idx))$/;

/** What is wrong with a mirror, as far as it shows at a glance. */
export async function findTrouble(git: MirrorGit, repo: RepoName): Promise<string | undefined> {
  const empty = await findEmptyFile(git.layout.mirror(repo));
  if (empty !== undefined) return `its ${empty} is empty`;
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

/** What a crash of the machine leaves of a file that was just written. */
async function findEmptyFile(mirror: string): Promise<string | undefined> {
  const names = await readdir(mirror, { recursive: true }).catch(() => []);
  for (const name of names.filter((one) => WHOLE_FILE.test(one))) {
    const stats = await lstat(join(mirror, name)).catch(() => undefined);
    if (stats?.isFile() === true && stats.size === 0) return name;
  }
  return undefined;
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}
