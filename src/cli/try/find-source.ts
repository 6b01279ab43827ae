import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { gitEnvironment } from "../../adapters/git/git-environment.ts";
import { inspectRepository } from "../../adapters/git/inspect-repository.ts";
import { runGit } from "../../adapters/git/run-git.ts";
import { assertNever } from "../../shared/assert-never.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";

/** The root of the repository that a folder belongs to, or why it cannot be worked on; of no folder, none. Nothing in it is changed. */
export async function findSource(
  folder: string | undefined,
  host: Readonly<Record<string, string>>,
): Promise<Result<string | undefined, string>> {
  if (folder === undefined) return ok(undefined);
  if (folder === "") return fail("--repo is empty");
  if (!(await isFolder(folder))) return fail(`${folder}: there is no such folder`);
  const found = await inspectRepository(resolve(folder), host);
  switch (found.kind) {
    case "usable":
      return rootOf(folder, host, found.gitDir);
    case "detached":
      return fail(
        `${folder}: HEAD is detached; check out the branch that the changes are to land on`,
      );
    case "empty":
      return fail(`${folder}: the repository has no commit yet`);
    case "not-a-repository":
      return fail(`${folder}: not a git repository`);
    default:
      return assertNever(found);
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function rootOf(
  folder: string,
  host: Readonly<Record<string, string>>,
  gitDir: string,
): Promise<Result<string, string>> {
  const cwd = resolve(folder);
  const env = gitEnvironment({ host, home: cwd }, [["safe.directory", "*"]]);
  const shallow = await runGit({ args: ["rev-parse", "--is-shallow-repository"], cwd, env });
  if (shallow.stdout.trim() === "true") {
    return fail(`${folder}: a shallow clone; bring its history with git fetch --unshallow`);
  }
  const root = await runGit({ args: ["rev-parse", "--show-toplevel"], cwd, env });
  return ok(root.code === 0 ? root.stdout.replace(/\n$/, "") : gitDir);
}
