// Makes every git command that trusts this worktree run a program of ours: hooks, filters, helpers, and a remote elsewhere.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

const [trap] = process.argv.slice(2);
const git = (...args) => execFileSync("git", args, { encoding: "utf8" }).trim();

const hooks = [
  ...["pre-commit", "post-checkout", "post-commit", "post-index-change", "pre-push"],
  ...["reference-transaction", "fsmonitor-watchman", "post-merge", "pre-receive", "update"],
];
const folders = [join(git("rev-parse", "--git-common-dir"), "hooks"), ".hooks"];
for (const folder of folders) {
  mkdirSync(folder, { recursive: true });
  for (const hook of hooks) {
    writeFileSync(join(folder, hook), `#!/bin/sh\ntouch '${trap}'\n`);
    chmodSync(join(folder, hook), 0o755);
  }
}

const program = join(process.cwd(), ".hooks", "update");
const settings = {
  "core.fsmonitor": program,
  "core.hooksPath": join(process.cwd(), ".hooks"),
  "core.sshCommand": program,
  "core.askPass": program,
  "core.editor": program,
  "credential.helper": `!${program}`,
  "filter.trap.clean": program,
  "filter.trap.smudge": program,
  "filter.trap.process": program,
  "diff.external": program,
  "diff.trap.textconv": program,
  "merge.trap.driver": program,
  "uploadpack.packObjectsHook": program,
  "http.proxy": "http://127.0.0.1:9",
  "url.http://127.0.0.1:9/.insteadOf": "file://",
  "core.worktree": "/etc",
  "core.bare": "true",
};
writeFileSync(".gitattributes", "* filter=trap diff=trap merge=trap\n");
for (const [name, value] of Object.entries(settings)) git("config", "--replace-all", name, value);
