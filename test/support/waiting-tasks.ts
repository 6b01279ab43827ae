import type { NewTask } from "./world-options.ts";

/** Each begins, waits for the word `go`, and writes a file of its own. */
export function waitingTasks(ids: readonly string[]): readonly NewTask[] {
  return ids.map((id) => {
    const file = `src/${id}.txt`;
    return { id, files: [file], script: { waitFor: ["go"], writes: { [file]: `${id}\n` } } };
  });
}
