import type { Sha } from "../../../src/domain/ids.ts";

export type Files = Readonly<Record<string, string>>;

export interface Commit {
  readonly tree: Sha;
  readonly parents: readonly Sha[];
}

/** Commits and their files, wherever they are kept: as much of git as merging whole files needs, worked out without git. */
export abstract class History {
  abstract files(tree: Sha): Files;
  abstract commitOf(id: Sha): Commit;
  abstract has(id: Sha): boolean;

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
