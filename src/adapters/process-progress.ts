import { open } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";

// A flood is read at leisure: more per look would only cost memory.
const MAX_READ_BYTES = 1 << 20;
// What is longer is no line that anybody reads; its beginning is enough to judge it.
const MAX_LINE_CHARACTERS = 1 << 16;

/** Reads a growing log, whole lines only. */
export class LineReader {
  readonly #path: string;
  readonly #decoder = new StringDecoder("utf8");
  #offset: number;
  #rest = "";

  constructor(path: string, offset: number) {
    this.#path = path;
    this.#offset = offset;
  }

  /** `size` is what the log has now. */
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
