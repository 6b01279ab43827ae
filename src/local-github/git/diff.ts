import { git } from "./git.ts";

export interface ChangedFile {
  readonly path: string;
  readonly previousPath: string | null;
  readonly status: "added" | "removed" | "modified" | "renamed";
  readonly sha: string;
  readonly additions: number;
  readonly deletions: number;
  readonly patch: string | null;
}

const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** What changed from one commit to another; from nothing when `from` is null. */
export async function changedFiles(
  dir: string,
  from: string | null,
  to: string,
): Promise<readonly ChangedFile[]> {
  const base = from ?? EMPTY_TREE;
  const [raw, counts] = await Promise.all([
    git(dir, ["diff", "--raw", "--no-abbrev", "-z", "-M", base, to]),
    git(dir, ["diff", "--numstat", "-z", "-M", base, to]),
  ]);
  const numbers = lineCounts(counts);
  return rawEntries(raw).map((entry) => ({
    ...entry,
    ...(numbers.get(entry.path) ?? { additions: 0, deletions: 0 }),
    patch: null,
  }));
}

type RawEntry = Pick<ChangedFile, "path" | "previousPath" | "status" | "sha">;

function rawEntries(raw: string): readonly RawEntry[] {
  const fields = raw.split("\0");
  const entries: RawEntry[] = [];
  for (let at = 0; at + 1 < fields.length;) {
    const [, , oldSha = "", newSha = "", letter = ""] = (fields[at] ?? "").split(" ");
    const renamed = letter.startsWith("R") || letter.startsWith("C");
    const first = fields[at + 1] ?? "";
    entries.push({
      path: renamed ? (fields[at + 2] ?? "") : first,
      previousPath: renamed ? first : null,
      status: statusOf(letter),
      sha: letter === "D" ? oldSha : newSha,
    });
    at += renamed ? 3 : 2;
  }
  return entries;
}

function statusOf(letter: string): ChangedFile["status"] {
  if (letter.startsWith("R")) return "renamed";
  if (letter === "A" || letter.startsWith("C")) return "added";
  return letter === "D" ? "removed" : "modified";
}

function lineCounts(
  numstat: string,
): ReadonlyMap<string, { readonly additions: number; readonly deletions: number }> {
  const fields = numstat.split("\0");
  const counts = new Map<string, { readonly additions: number; readonly deletions: number }>();
  for (let at = 0; at < fields.length && fields[at] !== "";) {
    const [added = "0", deleted = "0", path = ""] = (fields[at] ?? "").split("\t");
    const renamed = path === "";
    // Binary files count as "-".
    counts.set(renamed ? (fields[at + 2] ?? "") : path, {
      additions: Number.parseInt(added, 10) || 0,
      deletions: Number.parseInt(deleted, 10) || 0,
    });
    at += renamed ? 3 : 1;
  }
  return counts;
}
