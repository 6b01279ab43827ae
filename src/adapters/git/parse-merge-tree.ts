import { sha, type Sha } from "../../domain/ids.ts";

/**
 * Reads `git merge-tree --write-tree -z --name-only --no-messages`. Undefined when no tree was written: the exit code alone
 * does not tell a conflict from a commit that is missing.
 */
export function parseMergeTree(
  stdout: string,
): { readonly tree: Sha; readonly conflicts: readonly string[] } | undefined {
  const [tree, ...names] = stdout.split("\0");
  if (tree === undefined || !/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(tree)) return undefined;
  return { tree: sha(tree), conflicts: [...new Set(names.filter((name) => name !== ""))].sort() };
}
