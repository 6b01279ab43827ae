import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { sha } from "../../../../src/domain/ids.ts";
import type { Sha } from "../../../../src/domain/ids.ts";
import { History } from "../history.ts";
import type { Commit, Files } from "../history.ts";

/**
 * Commits and files as they are on disk, read without git: whoever judges git's work must not ask git. Everything here is small
 * enough for git to keep each object in a file of its own.
 */
export class GitObjects extends History {
  readonly #folders: readonly string[];
  readonly #commits = new Map<Sha, Commit>();
  readonly #files = new Map<Sha, Files>();

  /** Of GitHub's repository first, then of the mirrors: a candidate is nowhere else before it is shown to GitHub. */
  constructor(repositories: readonly string[]) {
    super();
    this.#folders = repositories.map((repository) => join(repository, "objects"));
  }

  has(id: Sha): boolean {
    return this.#pathOf(id) !== undefined;
  }

  commitOf(id: Sha): Commit {
    const known = this.#commits.get(id) ?? parseCommit(this.#read(id).toString("utf8"));
    this.#commits.set(id, known);
    return known;
  }

  files(tree: Sha): Files {
    const known = this.#files.get(tree) ?? Object.fromEntries(this.#walk(tree, ""));
    this.#files.set(tree, known);
    return known;
  }

  #walk(tree: Sha, folder: string): readonly (readonly [string, string])[] {
    return entriesOf(this.#read(tree)).flatMap(({ name, id, isTree }) =>
      isTree
        ? this.#walk(id, `${folder}${name}/`)
        : [[`${folder}${name}`, this.#read(id).toString("utf8").trimEnd()] as const],
    );
  }

  /** Without its header. */
  #read(id: Sha): Buffer {
    const path = this.#pathOf(id);
    if (path === undefined) throw new Error(`no object ${id}`);
    const whole = inflateSync(readFileSync(path));
    return whole.subarray(whole.indexOf(0) + 1);
  }

  #pathOf(id: Sha): string | undefined {
    return this.#folders
      .map((folder) => join(folder, id.slice(0, 2), id.slice(2)))
      .find((path) => existsSync(path));
  }
}

function parseCommit(text: string): Commit {
  const header = text.slice(0, text.indexOf("\n\n")).split("\n");
  const valuesOf = (key: string): readonly Sha[] =>
    header.flatMap((line) => (line.startsWith(`${key} `) ? [sha(line.slice(key.length + 1))] : []));
  const [tree] = valuesOf("tree");
  if (tree === undefined) throw new Error("not a commit");
  return { tree, parents: valuesOf("parent") };
}

interface TreeEntry {
  readonly name: string;
  readonly id: Sha;
  readonly isTree: boolean;
}

/** `mode name`, a zero, and twenty bytes of id each. */
function entriesOf(tree: Buffer): readonly TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < tree.length;) {
    const end = tree.indexOf(0, at);
    const [mode = "", name = ""] = tree.toString("utf8", at, end).split(" ");
    const id = sha(tree.toString("hex", end + 1, end + 21));
    entries.push({ name, id, isTree: mode === "40000" });
    at = end + 21;
  }
  return entries;
}
