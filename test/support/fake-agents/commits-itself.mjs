// Does its work with git as a person would: branches, commits, a rewritten history, a stash, and an ignored file added by force.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";

const git = (...args) => execFileSync("git", args, { stdio: "ignore" });

git("checkout", "-b", "feature");
writeFileSync("committed.ts", "committed\n");
mkdirSync("dist", { recursive: true });
writeFileSync("dist/forced.js", "forced\n");
writeFileSync("dist/ignored.js", "ignored\n");
git("add", "committed.ts");
git("add", "--force", "dist/forced.js");
git("commit", "--message", "mine");
git("commit", "--amend", "--message", "rewritten");
git("checkout", "--orphan", "other");
git("commit", "--message", "a new root");
writeFileSync("staged.ts", "staged\n");
git("add", "staged.ts");
writeFileSync("untracked.ts", "untracked\n");
git("update-index", "--assume-unchanged", "readme.md");
writeFileSync("readme.md", "changed behind the index\n");
git("branch", "--delete", "--force", "feature");
