import { changedFiles } from "../../git/diff.ts";
import { mergeBase } from "../../git/history.ts";
import { readFile } from "../../git/read-file.ts";
import type { PullRequest } from "../../model/pull-request.ts";

const PLACES = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"];

/** Lists, for each changed file that has owners, their logins: the last line of CODEOWNERS on the base that matches counts. */
export async function readOwners({
  repository,
  baseSha,
  headSha,
}: Pick<PullRequest, "repository" | "baseSha" | "headSha">): Promise<readonly string[][]> {
  const { dir } = repository;
  const texts = await Promise.all(PLACES.map(async (path) => readFile(dir, baseSha, path)));
  const text = texts.find((file) => file !== undefined)?.content.toString();
  if (text === undefined) return [];
  const lines = text.split("\n").map((line) => line.trim().split(/\s+/));
  const from = (await mergeBase(dir, baseSha, headSha)) ?? baseSha;
  const files = await changedFiles(dir, from, headSha);
  return files.flatMap(({ path }) => {
    const owners = lines.findLast(([pattern = ""]) => matches(pattern, path))?.slice(1) ?? [];
    return owners.length === 0 ? [] : [owners.map((owner) => owner.replace(/^@/, ""))];
  });
}

/** Knows `*`, a directory with a slash at its end, and the path of a file. */
function matches(pattern: string, path: string): boolean {
  const plain = pattern.replace(/^\//, "");
  if (pattern === "" || pattern.startsWith("#")) return false;
  return plain === "*" || (plain.endsWith("/") ? path.startsWith(plain) : path === plain);
}
