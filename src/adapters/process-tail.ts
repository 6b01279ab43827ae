import { open } from "node:fs/promises";

/** The end of a text file, cut between characters. */
export async function readTail(path: string, maxBytes: number): Promise<string> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const length = Math.min(size, maxBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return withoutBrokenStart(buffer.subarray(0, bytesRead)).toString("utf8");
  } finally {
    await file.close();
  }
}

function withoutBrokenStart(bytes: Buffer): Buffer {
  const start = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return start < 0 ? bytes : bytes.subarray(start);
}
