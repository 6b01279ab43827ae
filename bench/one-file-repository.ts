import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Makes a repository with one file and one commit. */
export async function oneFileRepository(repo: string): Promise<string> {
  execFileSync("git", ["init", "-q", "-b", "main", repo]);
  await writeFile(join(repo, "README.md"), "# sample\n");
  const author = ["-c", "user.name=bench", "-c", "user.email=bench@example.com"];
  execFileSync("git", ["-C", repo, "add", "."]);
  execFileSync("git", ["-C", repo, ...author, "commit", "-qm", "first"]);
  return repo;
}
