import { gitEnvironment } from "../../adapters/git/run/git-environment.ts";
import { expectGit, runGit } from "../../adapters/git/run/run-git.ts";
import { REPO_CONFIG_PATH } from "../../config/repository/read-repo-config.ts";

/** This is what a repository has checked out, as it was committed. */
export interface Head {
  readonly branch: string;
  /** These are the paths of its files, without links and submodules. */
  readonly paths: readonly string[];
  /** It is the text of its settings, if it has any. */
  readonly settings: string | undefined;
}

/** Reads the last commit of the user's own repository. The working tree is not looked at. */
export async function readHead(
  repo: string,
  host: Readonly<Record<string, string>>,
): Promise<Head> {
  const env = gitEnvironment({ host, home: repo }, [["safe.directory", "*"]]);
  const git = (...args: readonly string[]) => ({ args, cwd: repo, env });
  const branch = await expectGit(git("symbolic-ref", "--quiet", "--short", "HEAD"));
  const listed = await expectGit(git("ls-tree", "-r", "-z", "--full-tree", "HEAD"));
  const settings = await runGit(git("cat-file", "blob", `HEAD:${REPO_CONFIG_PATH}`));
  return {
    branch: branch.trim(),
    paths: listed
      .split("\0")
      .flatMap((line) => /^100\d{3} blob [^\t]+\t(.+)$/s.exec(line)?.[1] ?? []),
    settings: settings.code === 0 ? settings.stdout : undefined,
  };
}
