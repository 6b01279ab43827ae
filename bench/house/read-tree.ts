import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";

/** Sources below a folder with what each imports. Paths begin with the folder's. */
export interface SourceTree {
  readonly files: ReadonlyMap<string, SourceFile>;
}

export interface SourceFile {
  readonly text: string;
  readonly lines: number;
  readonly imports: readonly string[];
}

const IMPORT = /(?:from\s*|import\(\s*|import\s+)"(\.[^"]+)"/g;

export function readTree(root: string, folder = "src"): SourceTree {
  const paths = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith("src/local-github/"))
    .toSorted();
  return { files: new Map(paths.map((path) => [path, readSource(root, path)])) };
}

function readSource(root: string, path: string): SourceFile {
  const text = readFileSync(join(root, path), "utf8");
  const imports = [...text.matchAll(IMPORT)].map(([, name = ""]) =>
    normalize(join(dirname(path), name)),
  );
  return { text, lines: text.split("\n").length - 1, imports: [...new Set(imports)] };
}

/** Folders that import each other, each pair once: `src/a src/b`. */
export function mutualFolders({ files }: SourceTree): readonly string[] {
  const edges = new Set<string>();
  for (const [path, { imports }] of files) {
    for (const target of imports) {
      const [from, to] = [dirname(path), dirname(target)];
      if (files.has(target) && from !== to) edges.add(`${from} ${to}`);
    }
  }
  return [...edges].filter((edge) => {
    const [from = "", to = ""] = edge.split(" ");
    return from < to && edges.has(`${to} ${from}`);
  });
}

/** How many files each folder holds itself. */
export function folderWidths({ files }: SourceTree): ReadonlyMap<string, number> {
  const widths = new Map<string, number>();
  for (const path of files.keys()) {
    widths.set(dirname(path), (widths.get(dirname(path)) ?? 0) + 1);
  }
  return widths;
}

/** Files that exactly one other file imports. */
export function importedOnce({ files }: SourceTree): readonly string[] {
  const importers = new Map<string, number>();
  for (const { imports } of files.values()) {
    for (const target of imports) importers.set(target, (importers.get(target) ?? 0) + 1);
  }
  return [...files.keys()].filter((path) => importers.get(path) === 1);
}
