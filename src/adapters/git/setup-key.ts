import type { RepoName, Sha } from "../../domain/ids.ts";
import type { SetupInputs } from "../../ports/git.ts";
import { digest } from "../../shared/digest.ts";
import type { MirrorGit } from "./mirror-git.ts";

/** Names what setup would make of a commit; undefined when no file says so. */
export async function setupKey(
  git: MirrorGit,
  { repo, base }: { readonly repo: RepoName; readonly base: Sha },
  inputs: SetupInputs,
): Promise<string | undefined> {
  const args = ["ls-tree", "-r", "-z", "--full-tree", base];
  const entries = (await git.expect({ repo, args })).split("\0").filter(Boolean);
  const pathOf = (entry: string): string => entry.slice(entry.indexOf("\t") + 1);
  const keyed = entries.filter((entry) => inputs.isKeyFile(pathOf(entry)));
  if (keyed.length === 0) return undefined;
  // What git ignores is what is kept: where that changes, a copy might show up as somebody's work.
  const ignores = entries.filter((entry) => /(^|\/)\.gitignore$/.test(pathOf(entry)));
  const { version, platform, arch } = process;
  return digest({ keyed, ignores, command: inputs.command, host: [version, platform, arch] });
}
