import type { LfsRule } from "../../../domain/claim/out-of-reach.ts";

/** This is one line of a `.gitattributes` file. */
export interface AttributesLine {
  /** The file is in this folder, which is empty for the root. */
  readonly folder: string;
  readonly text: string;
}

/** Returns what the lines say of Git LFS, in the order in which they outrank each other: deeper files later, and so later lines. */
export function lfsRulesFrom(lines: readonly AttributesLine[]): readonly LfsRule[] {
  const depth = ({ folder }: AttributesLine): number =>
    folder === "" ? 0 : folder.split("/").length;
  return lines.toSorted((a, b) => depth(a) - depth(b)).flatMap(ruleFrom);
}

function ruleFrom({ folder, text }: AttributesLine): readonly LfsRule[] {
  const [written = "", ...attributes] = text.trim().split(/[ \t]+/);
  const filter = attributes.findLast((one) => /^[-!]?filter(?:=|$)/.test(one));
  const pattern = filter === undefined ? undefined : patternFrom(written, folder);
  return pattern === undefined ? [] : [{ pattern, kept: filter === "filter=lfs" }];
}

/** Other marks than these mean one thing to git and another to claims. */
const PLAIN = /^[\p{L}\p{N}._/*?[\]@+~,= -]+$/u;

/** A pattern without a slash names files at any depth below its own folder, one with a slash is a path from there. */
function patternFrom(written: string, folder: string): string | undefined {
  const isSimple = PLAIN.test(written) && PLAIN.test(`${folder}/`);
  if (!isSimple || written.endsWith("/") || /[*?[\]]/.test(folder)) return undefined;
  const isPath = written.includes("/");
  const below = written.startsWith("/") ? written.slice(1) : isPath ? written : `**/${written}`;
  return folder === "" ? below : `${folder}/${below}`;
}
