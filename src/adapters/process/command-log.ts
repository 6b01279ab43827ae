import { statSync } from "node:fs";
import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";
import type { CommandRecord } from "./command-folder.ts";

// A fast growing log is read in parts, because more per look would only cost memory.
const MAX_READ_BYTES = 1 << 20;
// Nobody reads a longer line, and its beginning is enough to judge it.
const MAX_LINE_CHARACTERS = 1 << 16;

/** The size is zero when someone deleted the log. */
export function logSizeOf({ logPath }: Pick<CommandRecord, "logPath">): number {
  return statSync(logPath, { throwIfNoEntry: false })?.size ?? 0;
}

/** Reads the end of a text file and cuts it between characters. The result is empty when no command has written the file. */
export async function readTail(path: string, maxBytes: number): Promise<string> {
  const file = await openIfThere(path);
  if (file === undefined) return "";
  try {
    const { size } = await file.stat();
    const length = Math.min(size, maxBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return withoutBrokenStart(buffer.subarray(0, bytesRead)).toString("utf8");
  } finally {
    await file.close();
  }
}

/** Reads whole lines of a growing log. */
export class LineReader {
  readonly #path: string;
  readonly #decoder = new StringDecoder("utf8");
  #offset: number;
  #rest = "";

  constructor(path: string, offset: number) {
    this.#path = path;
    this.#offset = offset;
  }

  /** `size` is the present size of the log. */
  async read(size: number): Promise<readonly string[]> {
    if (size <= this.#offset) return [];
    const bytes = await this.#readBytes(Math.min(size - this.#offset, MAX_READ_BYTES));
    const lines = (this.#rest + this.#decoder.write(bytes)).split("\n");
    this.#rest = (lines.pop() ?? "").slice(0, MAX_LINE_CHARACTERS);
    return lines;
  }

  async #readBytes(length: number): Promise<Buffer> {
    const file = await open(this.#path, "r");
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, this.#offset);
      this.#offset += bytesRead;
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function withoutBrokenStart(bytes: Buffer): Buffer {
  const start = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return start < 0 ? bytes : bytes.subarray(start);
}
