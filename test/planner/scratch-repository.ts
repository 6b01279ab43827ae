import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Files by path; `undefined` removes one. */
export type Edits = ReadonlyMap<string, string | undefined>;

const ENVIRONMENT = {
  PATH: process.env["PATH"],
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@example.invalid",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@example.invalid",
  GIT_AUTHOR_DATE: "2024-01-01T00:00:00Z",
  GIT_COMMITTER_DATE: "2024-01-01T00:00:00Z",
};

/** A bare repository in a temporary folder, changed by plumbing commands: no working tree has to be written. */
export class ScratchRepository {
  readonly #folder = mkdtempSync(join(tmpdir(), "wavetrain-parity-"));

  constructor() {
    this.git(["init", "-q", "--bare"]);
  }

  git(args: readonly string[], input = ""): string {
    return execFileSync("git", args, {
      cwd: this.#folder,
      env: ENVIRONMENT,
      input,
      encoding: "utf8",
      stdio: ["pipe", "pipe", "pipe"],
    }).trim();
  }

  treeOf(commit: string): string {
    return this.git(["rev-parse", `${commit}^{tree}`]);
  }

  filesOf(commit: string): ReadonlyMap<string, string> {
    const names = this.git(["ls-tree", "-r", "--name-only", commit]).split("\n").filter(Boolean);
    const listing = this.git(
      ["cat-file", "--batch=%(objectsize)"],
      names.map((name) => `${commit}:${name}\n`).join(""),
    );
    let rest = `${listing}\n`;
    return new Map(
      names.map((name) => {
        const end = rest.indexOf("\n");
        const size = Number(rest.slice(0, end));
        const content = rest.slice(end + 1, end + 1 + size);
        rest = rest.slice(end + 2 + size);
        return [name, content];
      }),
    );
  }

  /** A commit with the edits on top of the parent. */
  commit(edits: Edits, parent: string | undefined): string {
    const changes = [...edits].map(([path, content]) =>
      content === undefined
        ? `D ${path}\n`
        : `M 100644 inline ${path}\ndata ${Buffer.byteLength(content)}\n${content}\n`,
    );
    const from = parent === undefined ? "" : `from ${parent}\n`;
    const head =
      "commit refs/heads/made\ncommitter a <a@example.invalid> 1704067200 +0000\ndata 1\nx\n";
    this.git(
      ["fast-import", "--quiet", "--force"],
      `reset refs/heads/made\n${from}\n${head}${from}${changes.join("")}\n`,
    );
    return this.git(["rev-parse", "refs/heads/made"]);
  }

  /** As the train merges: a move of a whole directory must not drag other tasks' files along. */
  merge(base: string, change: string, options = ["-c", "merge.directoryRenames=false"]): string {
    const tree = this.git([...options, "merge-tree", "--write-tree", base, change]);
    return this.git(["commit-tree", tree, "-p", base, "-p", change, "-m", "merge"]);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
