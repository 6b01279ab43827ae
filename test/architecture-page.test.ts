import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { STAGES } from "../src/app/stages.ts";

const PAGE = readFileSync("ARCHITECTURE.md", "utf8");
const BESIDE_THE_STAGES = ["trust", "planner", "runner", "workspace", "intake", "loop"];
const FOLDERS_WITH_A_PAGE = [...new Set(STAGES.map(({ folder }) => folder)), ...BESIDE_THE_STAGES];

/** Files of the repositories that the pages tell of. */
const EXAMPLES = /^(src\/(greet|auth)\/|test\/french)/;

interface Link {
  readonly text: string;
  readonly to: string;
}

function linksIn(text: string): readonly Link[] {
  return [...text.matchAll(/\[([^\]]+)\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, label = "", to = ""]) => ({ text: label, to }))
    .filter(({ to }) => !to.includes("://"));
}

/** Everything that the file declares at its top level. */
function declaredIn(path: string): ReadonlySet<string> {
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest);
  const names = source.statements.flatMap((statement) => {
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => name);
    const { name } = statement as { name?: ts.Node };
    return name === undefined ? [] : [name];
  });
  return new Set(names.flatMap((name) => (ts.isIdentifier(name) ? name.text : [])));
}

/** What is missing of what a page links to: the file, or what the words of the link name in it. */
function brokenIn(page: string, text: string): readonly string[] {
  return linksIn(text).flatMap((link) => {
    const path = join(dirname(page), link.to);
    if (!existsSync(path)) return [`${page}: ${link.to} is not there`];
    const name = /^`([A-Za-z]\w*)`$/.exec(link.text)?.[1];
    if (name === undefined || !path.endsWith(".ts") || declaredIn(path).has(name)) return [];
    return [`${page}: ${link.to} has no ${name}`];
  });
}

describe("ARCHITECTURE.md", () => {
  it("shows the stages that run, in their order", () => {
    const rows = [...PAGE.matchAll(/^\| `(\w+)` +\| ([a-z ]+?) +\| \[`(\w+)`\]/gm)];
    const shown = rows.map(([, lane, name, folder]) => ({ lane, name, folder }));
    expect(shown).toEqual(STAGES.map(({ lane, name, folder }) => ({ lane, name, folder })));
  });

  it("draws every stage", () => {
    const drawing = /```\n([^]*?)```/.exec(PAGE)?.[1]?.replaceAll(/\s+/g, " ") ?? "";
    for (const { name } of STAGES) expect(drawing).toContain(name);
  });

  it("links to what it names", () => {
    expect(brokenIn("ARCHITECTURE.md", PAGE)).toEqual([]);
  });

  it("answers five questions, each with a link to a function", () => {
    const section = /## Five questions\n([^]*?)\n## /.exec(PAGE)?.[1] ?? "";
    const answers = section.split(/\n\n(?=\*\*)/).filter((part) => part.includes("?**"));
    expect(answers).toHaveLength(5);
    for (const answer of answers)
      expect(linksIn(answer).filter(({ to }) => to.endsWith(".ts")).length).toBeGreaterThan(0);
  });
});

describe.each(FOLDERS_WITH_A_PAGE)("the page of src/%s", (folder) => {
  const page = `src/${folder}/README.md`;
  const text = existsSync(page) ? readFileSync(page, "utf8") : "";

  it("is there and fits on one page", () => {
    expect(text.split("\n").length).toBeGreaterThan(30);
    expect(text.split("\n").length).toBeLessThan(100);
  });

  it("links to what is there", () => {
    expect(brokenIn(page, text)).toEqual([]);
  });

  it("names files that are there", () => {
    const sources = readdirSync("src", { recursive: true, encoding: "utf8" });
    const named = [...text.matchAll(/`([\w./*-]+\.ts)`/g)].map(([, name = ""]) => name);
    expect(named.length).toBeGreaterThan(0);
    const ours = named.filter((name) => !EXAMPLES.test(name));
    const missing = ours.filter((name) => !name.includes("*") && !isThere(name, folder, sources));
    expect(missing).toEqual([]);
  });
});

/** Pages name files from their own folder, from `src`, or from the top. */
function isThere(name: string, folder: string, sources: readonly string[]): boolean {
  if (existsSync(name) || existsSync(join("src", name))) return true;
  return sources.some((path) => path.startsWith(`${folder}/`) && path.endsWith(`/${name}`));
}
