import { createHash } from "node:crypto";
import type { LandingMethod } from "../../../src/domain/entry.ts";
import { sha } from "../../../src/domain/ids.ts";
import type { Sha } from "../../../src/domain/ids.ts";
import type { CandidateOutcome, CandidateRequest } from "../../../src/ports/git.ts";
import { History, isPaths } from "./history.ts";
import type { Commit, Files } from "./history.ts";

/** Commits and trees in memory: as much of git as merging whole files needs. */
export class Objects extends History {
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
}

function parentsFor(method: LandingMethod, onto: Sha, head: Sha): readonly Sha[] {
  return method === "merge" ? [onto, head] : [onto];
}

function hash(value: unknown): Sha {
  return sha(createHash("sha1").update(JSON.stringify(value)).digest("hex"));
}
