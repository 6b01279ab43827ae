import { cleanLine, cleanText } from "../shared/clean-text.ts";
import { redact } from "./redact.ts";

/** A place in a changed file that a program complained of. */
export interface Complaint {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** More than a reader looks at; GitHub takes 50 with one request. */
const MOST = 20;
const LONGEST_MESSAGE = 500;
/** `src/a.ts:12:5`, `src/a.ts(12,5)`, `File "src/a.py", line 12`. */
const PLACE = /([^\s"'`():,;]{1,300})(?::|\(|", line )(\d{1,6})(?!\d)/g;

/** What the output of a program says about lines of the changed files, each line once. */
export function findAnnotations(output: string, files: readonly string[]): readonly Complaint[] {
  const known = new Set(files);
  const found = new Map<string, Complaint>();
  for (const text of redact(cleanText(output)).split("\n")) {
    for (const [, named = "", digits] of text.matchAll(PLACE)) {
      const [path, line] = [changedFile(named, known), Number(digits)];
      const key = `${path ?? ""}:${line}`;
      if (path === undefined || line === 0 || found.has(key)) continue;
      found.set(key, { path, line, message: cleanLine(text, LONGEST_MESSAGE) });
    }
  }
  return [...found.values()].slice(0, MOST);
}

/** Programs name files from the root of the workspace, from its folder or from `.`. */
function changedFile(named: string, known: ReadonlySet<string>): string | undefined {
  for (let rest = named; rest !== "";) {
    if (known.has(rest)) return rest;
    const slash = rest.indexOf("/");
    rest = slash < 0 ? "" : rest.slice(slash + 1);
  }
  return undefined;
}
