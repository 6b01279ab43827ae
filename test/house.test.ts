import ts from "typescript";
import { describe, expect, it } from "vitest";
import { folderWidths, mutualFolders, readTree } from "../bench/house/read-tree.ts";
import type { SourceTree } from "../bench/house/read-tree.ts";

const MAX_FILES_IN_A_FOLDER = 20;

const trees: readonly (readonly [string, SourceTree])[] = ["src", "local-github"].map(
  (folder) => [folder, readTree(".", folder)] as const,
);
const src = readTree(".");

describe.each(trees)("%s", (folder, tree) => {
  it(`has no folder with more than ${MAX_FILES_IN_A_FOLDER} files`, () => {
    const wide = [...folderWidths(tree)].filter(([, files]) => files > MAX_FILES_IN_A_FOLDER);
    expect(wide).toEqual([]);
    expect(folderWidths(tree).get(folder)).toBeDefined();
  });

  it("has no two folders that import each other", () => {
    expect(mutualFolders(tree)).toEqual([]);
  });
});

describe("src", () => {
  it("has no loose file but the app itself", () => {
    const loose = [...src.files.keys()].filter((path) => path.split("/").length === 2);
    expect(loose).toEqual(["src/index.ts"]);
  });
});

interface BannedWord {
  /** Matches whole names, as they are declared. */
  readonly name: RegExp;
  /** Files in which the word has another meaning than the one that is allowed; all if left out. */
  readonly where?: RegExp;
  readonly instead: string;
}

/** One word, one thing: ARCHITECTURE.md says what each word means. */
const BANNED: readonly BannedWord[] = [
  {
    name: /candidates?/i,
    where: /^src\/(scheduler|runner|board|domain\/(run|task|contenders))/,
    instead: "contender, for one of several runs at a task",
  },
  {
    name: /verdicts?/i,
    where: /^src\/(trust|commands|config|board|control)\//,
    instead: "decision, result or problem: a verdict is a verification's",
  },
  { name: /^hold$/i, where: /^src\/planner\//, instead: "StartBan" },
  { name: /slots?/i, where: /^src\/(adapters\/git|workspace)\//, instead: "folder" },
  { name: /phases?/i, where: /^src\/(planner|train)\//, instead: "stage" },
  {
    name: /commands?$/i,
    where: /^src\/(train\/(decide|land|queue)|scheduler|cleanup)\//,
    instead: "action, for what a stage decided",
  },
  { name: /^settle/i, instead: "the thing that is done" },
  { name: /chores?|janitor/i, instead: "PeriodicTask, cleanup" },
  {
    name: /^(activities|inTurns|persist|deafen|conduct|lookCloser|sayingWhy)$/i,
    instead: "house words",
  },
  {
    name: /^(hear|spoken|misspoken|furnish\w*|wantAnswers|pathsBehind|openUpTree)$/i,
    instead: "house words",
  },
  { name: /^(Placed|Said|Verifying|Desk|DECOMPOSING|pictureOf|inVain)$/, instead: "house words" },
  {
    name: /^(MOST|PATIENCE_MS|PATIENCE|ENOUGH)$/,
    instead: "a name that says of what, with its unit",
  },
  {
    name: /^([A-Z]\w*)?(Manager|Service|Helper|Util|Utils|Coordinator|Processor)$/,
    instead: "a name that says what it does",
  },
];

describe("words", () => {
  it.each(BANNED)("$name is not used ($instead)", ({ name, where = /^src\// }) => {
    const found = [...src.files].flatMap(([path, { text }]) =>
      where.test(path)
        ? namesIn(path, text)
            .filter((declared) => name.test(declared))
            .map((declared) => `${path}: ${declared}`)
        : [],
    );
    expect(found).toEqual([]);
  });
});

const known = new Map<string, readonly string[]>();

/** Reads each file once for all words. */
function namesIn(path: string, text: string): readonly string[] {
  const names = known.get(path) ?? declaredNames(path, text);
  known.set(path, names);
  return names;
}

/** Everything that a file gives a name to, and the file's own. */
function declaredNames(path: string, text: string): readonly string[] {
  const names = new Set([path.replace(/^.*\/|\.ts$/g, "").replaceAll("-", "")]);
  const visit = (node: ts.Node): void => {
    if ("name" in node && isDeclaration(node)) {
      const { name } = node as { name?: ts.Node };
      if (name !== undefined && ts.isIdentifier(name)) names.add(name.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return [...names];
}

function isDeclaration(node: ts.Node): boolean {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isMethodSignature(node) ||
    ts.isPropertySignature(node) ||
    ts.isParameter(node)
  );
}
