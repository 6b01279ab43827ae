import { readYaml } from "../read/yaml-source.ts";
import type { RepoConfig } from "../schema/repo-config.ts";

interface Origin {
  readonly owner: "organization" | "user";
  /** This is the text of the repository's file. */
  readonly text: string;
  /** The operator lays these settings over it. */
  readonly fixed: unknown;
}

/** Decides what the board is made of. When nobody says so, a person's repository gets labels: no app can see a person's projects. */
export function boardKind(
  { board }: RepoConfig,
  { owner, text, fixed }: Origin,
): NonNullable<RepoConfig["board"]["kind"]> {
  if (board.kind !== undefined) return board.kind;
  const named = namesProject(text) || namesProjectIn(fixed);
  return owner === "user" && !named ? "labels" : "project";
}

/** Says whether a repository's file names the project that is its board. The settings alone cannot tell, because they have a default. */
export function namesProject(text: string): boolean {
  return namesProjectIn(readYaml(text, "").value);
}

function namesProjectIn(settings: unknown): boolean {
  return memberOf(memberOf(settings, "board"), "project") !== undefined;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(name);
}
