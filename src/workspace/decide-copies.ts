import type { Sandbox } from "../ports/sandbox.ts";

/** Says what a workspace does with copies of the results of `setup`: it makes them for others too, takes one if there is one, or neither. */
export type Copies = "make" | "use" | "never";

export interface RunFacts {
  /** It begins at a commit of the base branch, not at somebody's change. */
  readonly onBase: boolean;
  /** No earlier attempt left anything in its HOME. */
  readonly fresh: boolean;
  /** Setup is at work in it, or was, since before a restart. */
  readonly begun: boolean;
}

/** Others get only results that the base alone decided about: neither an agent's branch nor anything that an agent left behind had a say in them. */
export function copiesOfRun({ onBase, fresh, begun }: RunFacts): Copies {
  // A copy would be laid among the files that it is just writing.
  if (begun) return "never";
  return onBase && fresh ? "make" : "use";
}

/**
 * Without a sandbox agents are the server's own user, and whatever lies on the disk for longer than a verification may be
 * theirs. A hash of the copy would not help: who can write the one can write the other.
 */
export function copiesOfVerification(level: Sandbox["level"]): Copies {
  return level === "none" ? "never" : "use";
}
