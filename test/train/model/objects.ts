import { createHash } from "node:crypto";
import { sha } from "../../../src/domain/ids.ts";
import type { Sha } from "../../../src/domain/ids.ts";
import type { LandingMethod } from "../../../src/domain/entry.ts";
import type { CandidateOutcome, CandidateRequest } from "../../../src/ports/git.ts";

export type Files = Readonly<Record<string, string>>;

interface Commit {
  readonly tree: Sha;
  readonly parents: readonly Sha[];
}

/** Commits and trees in memory: as much of git as merging whole files needs. */
export class Objects {
  readonly #trees = new Map<Sha, Files>();
  readonly #commits = new Map<Sha, Commit>();

  files(tree: Sha): Files {
    return this.#trees.get(tree) ?? {};
  }

  commitOf(id: Sha): Commit {
    const commit = this.#commits.get(id);
    if (commit === undefined) throw new Error(`no commit ${id}`);
    return commit;
  }

  has(id: Sha): boolean {
    return this.#commits.has(id);
  }

  write(files: Files, parents: readonly Sha[], message: string): Sha {
    const tree = this.#writeTree(files);
    const id = hash(["commit", tree, parents, message]);
    this.#commits.set(id, { tree, parents });
    return id;
  }

  isAncestor(ancestor: Sha, descendant: Sha): boolean {
    return this.#ancestors(descendant).has(ancestor);
  }

  /** First parents, newest first. */
  history(tip: Sha): readonly Sha[] {
    const line: Sha[] = [];
    for (let at: Sha | undefined = tip; at !== undefined; at = this.commitOf(at).parents[0]) {
      line.push(at);
    }
    return line;
  }

  /** The merged files, or the paths that conflict. */
  merge(ours: Sha, theirs: Sha): Files | readonly string[] {
    const base = this.files(this.commitOf(this.#mergeBase(ours, theirs)).tree);
    const [a, b] = [this.files(this.commitOf(ours).tree), this.files(this.commitOf(theirs).tree)];
    return mergeFiles(base, a, b);
  }

  build({ base, method, parts }: CandidateRequest): CandidateOutcome {
    const steps = [];
    let onto = base;
    for (const [at, part] of parts.entries()) {
      if (!this.has(part.head)) return { kind: "missing", at, reason: "no such head" };
      const merged = this.merge(onto, part.head);
      if (isPaths(merged)) return { kind: "conflict", at, paths: merged };
      const parents = parentsFor(method, onto, part.head);
      const commit = this.write(merged, parents, part.message);
      steps.push({ entry: part.entry, head: part.head, commit, tree: this.commitOf(commit).tree });
      onto = commit;
    }
    const last = steps.at(-1)!;
    const candidate = { base, method, steps, tree: last.tree, commit: last.commit };
    return { kind: "built", candidate };
  }

  #writeTree(files: Files): Sha {
    const sorted = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1));
    const id = hash(["tree", sorted]);
    this.#trees.set(id, Object.fromEntries(sorted));
    return id;
  }

  #mergeBase(a: Sha, b: Sha): Sha {
    const known = this.#ancestors(a);
    const queue = [b];
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (known.has(next)) return next;
      queue.push(...this.commitOf(next).parents);
    }
    throw new Error("no common history");
  }

  #ancestors(from: Sha): ReadonlySet<Sha> {
    const seen = new Set<Sha>();
    const queue = [from];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push(...this.commitOf(next).parents);
    }
    return seen;
  }
}

export function isPaths(merged: Files | readonly string[]): merged is readonly string[] {
  return Array.isArray(merged);
}

function parentsFor(method: LandingMethod, onto: Sha, head: Sha): readonly Sha[] {
  return method === "merge" ? [onto, head] : [onto];
}

function mergeFiles(base: Files, a: Files, b: Files): Files | readonly string[] {
  const paths = new Set([...Object.keys(base), ...Object.keys(a), ...Object.keys(b)]);
  const merged: Record<string, string> = {};
  const conflicts: string[] = [];
  for (const path of paths) {
    const [was, ours, theirs] = [base[path], a[path], b[path]];
    const changed = theirs !== was && ours !== was && ours !== theirs;
    if (changed) conflicts.push(path);
    const now = theirs === was ? ours : theirs;
    if (now !== undefined) merged[path] = now;
  }
  return conflicts.length > 0 ? conflicts : merged;
}

function hash(value: unknown): Sha {
  return sha(createHash("sha1").update(JSON.stringify(value)).digest("hex"));
}
