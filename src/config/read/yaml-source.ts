import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import type { Document, Node } from "yaml";
import type { ConfigProblem } from "./config-problem.ts";

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** This is a YAML file that was read: its value, and where in the text each part of it stands. */
export interface YamlSource {
  readonly value: unknown;
  readonly problems: readonly ConfigProblem[];
  /** It returns where the value at the path is written, or the key itself, or the nearest part around them that is there. */
  placeOf(path: readonly PropertyKey[], part?: "key" | "value"): Place;
}

const START: Place = { line: 1, column: 1 };
/** This is far more than anyone writes by hand. */
const MAX_LENGTH = 262_144;

export function readYaml(text: string, file: string, maxLength = MAX_LENGTH): YamlSource {
  if (text.length > maxLength)
    return unusable(file, `the file is longer than ${maxLength} characters`);
  try {
    return readDocument(text, file);
  } catch (error) {
    // The library throws when it meets thousands of nested brackets or aliases.
    return unusable(file, `cannot be read: ${error instanceof Error ? error.message : "bad YAML"}`);
  }
}

function readDocument(text: string, file: string): YamlSource {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const placeAt = (offset: number): Place => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const problems = document.errors.map((error) => ({
    file,
    ...placeAt(error.pos[0]),
    path: "",
    message: error.message,
  }));
  return {
    value: problems.length > 0 ? undefined : withoutNulls(document.toJS({ maxAliasCount: 100 })),
    problems,
    placeOf: (path, part = "value") => {
      const offset = offsetOf(document, path, part);
      return offset === undefined ? START : placeAt(offset);
    },
  };
}

function unusable(file: string, message: string): YamlSource {
  return {
    value: undefined,
    problems: [{ file, ...START, path: "", message }],
    placeOf: () => START,
  };
}

function offsetOf(
  document: Document.Parsed,
  path: readonly PropertyKey[],
  part: "key" | "value",
): number | undefined {
  let node: Node | null = document.contents;
  let offset = startOf(node);
  for (const [index, step] of path.entries()) {
    const found = memberOf(node, step);
    if (found === undefined) break;
    const isKeyWanted = part === "key" && index === path.length - 1;
    offset = (isKeyWanted ? undefined : startOf(found.value)) ?? startOf(found.key) ?? offset;
    node = found.value;
  }
  return offset;
}

function memberOf(
  node: Node | null,
  step: PropertyKey,
): { readonly key: Node | null; readonly value: Node | null } | undefined {
  if (isSeq(node) && typeof step === "number") {
    const item: unknown = node.items[step];
    return isNode(item) ? { key: null, value: item } : undefined;
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
  if (pair === undefined) return undefined;
  return { key: nodeOrNull(pair.key), value: nodeOrNull(pair.value) };
}

function nodeOrNull(value: unknown): Node | null {
  return isNode(value) ? value : null;
}

function startOf(node: Node | null): number | undefined {
  return node?.range?.[0];
}

/** A key with nothing after it counts as left out. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const present = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(present.map(([key, member]) => [key, withoutNulls(member)]));
}
