import { namesProject, namesProjectIn } from "./names-project.ts";
import type { RepoConfig } from "./schema.ts";

interface Origin {
  readonly owner: "organization" | "user";
  /** The repository's file. */
  readonly text: string;
  /** What the operator lays over it. */
  readonly fixed: unknown;
}

/** What the board is made of when nobody says so: no app can see a person's projects. */
export function boardKind(
  { board }: RepoConfig,
  { owner, text, fixed }: Origin,
): NonNullable<RepoConfig["board"]["kind"]> {
  if (board.kind !== undefined) return board.kind;
  const named = namesProject(text) || namesProjectIn(fixed);
  return owner === "user" && !named ? "labels" : "project";
}
