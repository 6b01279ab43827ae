import { spawn } from "node:child_process";
import { once } from "node:events";
import { sha, type Sha } from "../../../src/domain/ids.ts";

export type TreeEntry =
  | string
  | { readonly kind: "program"; readonly text: string }
  | { readonly kind: "link"; readonly to: string }
  | { readonly kind: "submodule"; readonly commit: string };

/** Paths that are no UTF-8 are given as bytes. */
export type TreeEntries = Iterable<readonly [string | Buffer, TreeEntry]>;

export const program = (text: string): TreeEntry => ({ kind: "program", text });
export const link = (to: string): TreeEntry => ({ kind: "link", to });
export const submodule = (digit: string): TreeEntry => ({
  kind: "submodule",
  commit: digit.repeat(40),
});

/** Makes a branch of one commit that has exactly these files, without a file system that would refuse or change any name. */
export async function commitFiles(
  repository: string,
  branch: string,
  files: TreeEntries,
): Promise<Sha> {
  const flags = ["fast-import", "--quiet", "--force"];
  const child = spawn("git", ["-C", repository, ...flags], { stdio: ["pipe", "pipe", "pipe"] });
  const head = `commit refs/heads/${branch}\nmark :1\ncommitter A <a@b.test> 1600000000 +0000\n`;
  const entries = [...files].map(([path, entry]) =>
    Buffer.from(`M ${lineOf(entry, quoted(path))}`),
  );
  const words = [Buffer.from(`${head}${dataOf(branch)}`), ...entries, "get-mark :1\n"];
  child.stdin.end(Buffer.concat(words.map((word) => Buffer.from(word))));
  let [answer, trouble] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (answer += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (trouble += chunk.toString()));
  await once(child, "close");
  if (child.exitCode !== 0) throw new Error(trouble);
  return sha(answer.trim());
}

function lineOf(entry: TreeEntry, path: string): string {
  if (typeof entry === "string") return `100644 inline ${path}\n${dataOf(entry)}`;
  switch (entry.kind) {
    case "program":
      return `100755 inline ${path}\n${dataOf(entry.text)}`;
    case "link":
      return `120000 inline ${path}\n${dataOf(entry.to)}`;
    case "submodule":
      return `160000 ${entry.commit} ${path}\n`;
  }
}

function dataOf(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

function quoted(path: string | Buffer): string {
  const bytes = [...Buffer.from(path)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`);
  return `"${bytes.join("")}"`;
}
