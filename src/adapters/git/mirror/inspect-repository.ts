import { gitEnvironment } from "../run/git-environment.ts";
import { runGit } from "../run/run-git.ts";

export type RepositoryInspection =
  | { readonly kind: "usable"; readonly gitDir: string; readonly branch: string }
  | { readonly kind: "detached"; readonly gitDir: string }
  | { readonly kind: "empty" }
  | { readonly kind: "not-a-repository" };

/** Looks at a repository of the user's without changing anything in it. */
export async function inspectRepository(
  path: string,
  host: Readonly<Record<string, string>>,
): Promise<RepositoryInspection> {
  const git = async (...args: readonly string[]): Promise<string | undefined> => {
    // It is the user's own repository: git's check of the owner would only say that it belongs to somebody else.
    const env = gitEnvironment({ host, home: path }, [["safe.directory", "*"]]);
    const { code, stdout } = await runGit({ args, cwd: path, env });
    return code === 0 ? stdout.trim() : undefined;
  };
  const gitDir = await git("rev-parse", "--absolute-git-dir");
  if (gitDir === undefined) return { kind: "not-a-repository" };
  if ((await git("rev-parse", "--verify", "--quiet", "HEAD^{commit}")) === undefined) {
    return { kind: "empty" };
  }
  const branch = await git("symbolic-ref", "--quiet", "--short", "HEAD");
  return branch === undefined ? { kind: "detached", gitDir } : { kind: "usable", gitDir, branch };
}
