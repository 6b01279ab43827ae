import { afterAll } from "vitest";

const LARGE_BYTES = 500 * 1024 ** 2;

// Starting a program costs a process as much as copying it, and Node lets garbage lie: in the midst of a run it would be twice as large.
afterAll(() => {
  if (process.memoryUsage.rss() > LARGE_BYTES) globalThis.gc?.();
});
