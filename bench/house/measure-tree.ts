import ts from "typescript";
import { folderWidths, importedOnce, mutualFolders } from "./read-tree.ts";
import type { SourceTree } from "./read-tree.ts";

/** What can be counted without running anything. */
export interface TreeMeasures {
  readonly files: number;
  readonly lines: number;
  readonly importedOnce: number;
  readonly smallImportedOnce: number;
  readonly widest: number;
  readonly looseFiles: number;
  readonly mutualFolders: number;
  readonly wholeDeps: number;
  readonly whatComments: number;
  readonly literalSpreads: number;
}

const SMALL_LINES = 40;

export function measureTree(tree: SourceTree): TreeMeasures {
  const files = [...tree.files.values()];
  const once = importedOnce(tree).map((path) => tree.files.get(path)?.lines ?? 0);
  return {
    files: files.length,
    lines: sum(files.map(({ lines }) => lines)),
    importedOnce: once.length,
    smallImportedOnce: once.filter((lines) => lines < SMALL_LINES).length,
    widest: Math.max(...folderWidths(tree).values()),
    looseFiles: folderWidths(tree).get("src") ?? 0,
    mutualFolders: mutualFolders(tree).length,
    wholeDeps: sum(files.map(({ text }) => text.match(/[a-z}]: Deps\b(?!\[)/g)?.length ?? 0)),
    whatComments: sum(
      files.map(({ text }) => text.match(/^\s*(?:\/\*\*|\/\/|\*) What /gm)?.length ?? 0),
    ),
    literalSpreads: sum([...tree.files].map(([path, { text }]) => countSpreads(path, text))),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** Literals that are spread into another literal. */
function countSpreads(path: string, text: string): number {
  let found = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression)) found += 1;
    if (ts.isSpreadElement(node) && ts.isArrayLiteralExpression(node.expression)) found += 1;
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return found;
}
