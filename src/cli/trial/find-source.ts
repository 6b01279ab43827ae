import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { inspectRepository } from "../../adapters/git/mirror/inspect-repository.ts";
import { gitEnvironment } from "../../adapters/git/run/git-environment.ts";
import { runGit } from "../../adapters/git/run/run-git.ts";
import { assertNever } from "../../shared/assert-never.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";

/** Finds the root of a repository where a folder is given; no folder gives no root. */
export async function findSource(
  folder: string | undefined,
  host: Readonly<Record<string, string>>,
): Promise<Result<string | undefined, string>> {
  return folder === undefined ? ok(undefined) : findRepository(folder, host);
}

/** Finds the root of the repository that a folder belongs to, or says why it cannot be worked on. Nothing in the folder is changed. */
export async function findRepository(
  folder: string,
  host: Readonly<Record<string, string>>,
): Promise<Result<string, string>> {
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

/** Names the copy of a repository on the local GitHub after its folder, as far as GitHub allows. */
export function repositoryName(path: string | undefined): string {
  const name =
    path
      ?.split("/")
      .at(-1)
      ?.replaceAll(/[^A-Za-z0-9._-]/g, "-") ?? "";
  return /^[A-Za-z0-9]/.test(name) ? name.replace(/\.git$/, "") : "text-tools";
}
