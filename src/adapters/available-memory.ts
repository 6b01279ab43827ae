import { readFile } from "node:fs/promises";
import { freemem } from "node:os";

/** Bytes that new programs could have; Linux counts what it only keeps as a cache, others tell what is unused. */
export async function availableMemory(): Promise<number> {
  const text = await readFile("/proc/meminfo", "utf8").catch(() => "");
  const kilobytes = /^MemAvailable:\s+(\d+) kB$/m.exec(text)?.[1];
  return kilobytes === undefined ? freemem() : Number(kilobytes) * 1024;
}
