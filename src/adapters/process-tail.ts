import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";

/** The end of a text file, cut between characters; nothing when no command has written it. */
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
