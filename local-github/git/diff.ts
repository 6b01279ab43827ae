import { git, lastingOutput } from "./git.ts";

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

/** Lists the files that changed from one commit to another; all of them are new when `from` is null. */
export async function changedFiles(
  dir: string,
  from: string | null,
  to: string,
): Promise<readonly ChangedFile[]> {
  const base = from ?? EMPTY_TREE;
  const both = ["diff", "--raw", "--numstat", "--no-abbrev", "-z", "-M", base, to];
  const fields = fieldsOf(await lastingOutput(dir, both));
  const entries = rawEntries(fields);
  const numbers = lineCounts(fields);
  return entries.map((entry) => ({
    ...entry,
    ...(numbers.get(entry.path) ?? { additions: 0, deletions: 0 }),
    patch: null,
  }));
}

export interface FilePatch extends ChangedFile {
  /** These are the hunks, or git's words about a binary file, without the header that names the file. */
  readonly lines: readonly string[];
}

/** Reads the changes of every file, line by line. */
export async function readFilePatches(
  dir: string,
  from: string,
  to: string,
): Promise<readonly FilePatch[]> {
  const [files, text] = await Promise.all([
    changedFiles(dir, from, to),
    git(dir, ["diff", "--no-color", "--no-ext-diff", "--no-textconv", "-M", from, to]),
  ]);
  // Every line of a file has a mark before it, so only a header starts like this.
  const patches = `\n${text}`.split("\ndiff --git ").slice(1);
  return files.map((file, at) => ({ ...file, lines: hunksOf(patches[at] ?? "") }));
}

function hunksOf(patch: string): readonly string[] {
  const lines = patch.split("\n").slice(1);
  const first = lines.findIndex((line) => /^(?:@@ |Binary files )/.test(line));
  const hunks = first < 0 ? [] : lines.slice(first);
  return hunks.at(-1) === "" ? hunks.slice(0, -1) : hunks;
}

type RawEntry = Pick<ChangedFile, "path" | "previousPath" | "status" | "sha">;

/** Takes the entries from the front. Each is `:mode mode sha sha LETTER`, then one path, or two when renamed. */
function rawEntries(fields: string[]): readonly RawEntry[] {
  const entries: RawEntry[] = [];
  while (fields[0]?.startsWith(":") === true) {
    const [, , oldSha, newSha, letter] = words(fields.shift(), " ", 5);
    const first = fields.shift() ?? "";
    const second = /^[RC]/.test(letter) ? (fields.shift() ?? "") : null;
    entries.push({
      path: second ?? first,
      previousPath: second === null ? null : first,
      status: statusOf(letter),
      sha: letter === "D" ? oldSha : newSha,
    });
  }
  return entries;
}

function fieldsOf(text: string): string[] {
  return text.split("\0").slice(0, -1);
}

function words(text: string | undefined, separator: string, count: 3): [string, string, string];
function words(
  text: string | undefined,
  separator: string,
  count: 5,
): [string, string, string, string, string];
function words(text = "", separator: string, count: number): string[] {
  const parts = text.split(separator);
  return Array.from({ length: count }, (_, at) => parts[at] ?? "");
}

function statusOf(letter: string): ChangedFile["status"] {
  if (letter.startsWith("R")) return "renamed";
  if (letter === "A" || letter.startsWith("C")) return "added";
  return letter === "D" ? "removed" : "modified";
}

interface LineCount {
  readonly additions: number;
  readonly deletions: number;
}

/** Reads the line counts. Each is `added TAB deleted TAB path`; when renamed, an empty path and then the two paths. */
function lineCounts(fields: string[]): ReadonlyMap<string, LineCount> {
  const counts = new Map<string, LineCount>();
  while (fields.length > 0) {
    const [added, deleted, path] = words(fields.shift(), "\t", 3);
    const renamed = path === "" ? fields.splice(0, 2)[1] : undefined;
    counts.set(renamed ?? path, { additions: lines(added), deletions: lines(deleted) });
  }
  return counts;
}

/** Reads one count; git writes "-" for binary files. */
function lines(count: string): number {
  return count === "-" ? 0 : Number.parseInt(count, 10);
}
