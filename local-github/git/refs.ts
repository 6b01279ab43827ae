import { git, tryGit } from "./git.ts";

export const ZERO_SHA = "0".repeat(40);

export interface RefUpdate {
  readonly name: string;
  /** The ref must be at this commit now; `null` means that it must not exist. */
  readonly before: string | null;
  /** `null` deletes the ref. */
  readonly after: string | null;
}

export async function listRefs(dir: string): Promise<Map<string, string>> {
  const lines = await git(dir, ["for-each-ref", "--format=%(objectname) %(refname)"]);
  const refs = new Map<string, string>();
  for (const line of lines.split("\n").filter(Boolean)) {
    refs.set(line.slice(41), line.slice(0, 40));
  }
  return refs;
}

/** Updates all refs or none; answers false when some ref was not what the update expected. */
export async function updateRefs(dir: string, updates: readonly RefUpdate[]): Promise<boolean> {
  const lines = updates.map(
    (update) => `update ${update.name} ${update.after ?? ZERO_SHA} ${update.before ?? ZERO_SHA}`,
  );
  const input = ["start", ...lines, "commit", ""].join("\n");
  return (await tryGit(dir, ["update-ref", "--stdin"], { input })).exitCode === 0;
}

export async function isValidRefName(dir: string, name: string): Promise<boolean> {
  return (await tryGit(dir, ["check-ref-format", name])).exitCode === 0;
}
