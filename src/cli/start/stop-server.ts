import type { RunningApp } from "../../app/run-app.ts";
import type { StopReport } from "../../app/stop-runs.ts";
import type { TaskId } from "../../domain/ids.ts";

const SIGNAL_NUMBERS = { SIGINT: 2, SIGTERM: 15 } as const;
type StopSignal = keyof typeof SIGNAL_NUMBERS;
const SIGNALS: readonly StopSignal[] = ["SIGINT", "SIGTERM"];
/** Wrappers such as npx pass on a signal that the terminal has already sent, so two within this time count as one. */
const SAME_SIGNAL_MS = 500;
const TELL_EVERY_MS = 3_000;

/**
 * Resolves at the first signal. The second one ends the process at once, with the code that a shell expects: the next start repairs what is
 * half done, and the store writes a batch as a whole or not at all.
 */
export function stopSignal(): Promise<StopSignal> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        firstAt ??= Date.now();
        if (Date.now() - firstAt > SAME_SIGNAL_MS) process.exit(128 + SIGNAL_NUMBERS[signal]);
        resolve(signal);
      });
    }
  });
}

export async function stopGently(app: RunningApp): Promise<void> {
  const tell = setInterval(() => console.error(renderWaiting(app.working())), TELL_EVERY_MS);
  const report = await app.stop();
  clearInterval(tell);
  console.error(renderStop(report));
  // Runs that are left would keep this process waiting for their end.
  process.exit(0);
}

function renderStop({ finished, requeued, left }: StopReport): string {
  const parts = [
    part(finished, "finished", "finished"),
    part(requeued, "was stopped and is queued again", "were stopped and are queued again"),
    part(
      left,
      "goes on and is taken up at the next start",
      "go on and are taken up at the next start",
    ),
  ].filter((text) => text !== "");
  return parts.length === 0 ? "stopped; no run was under way" : `stopped: ${parts.join("; ")}`;
}

function renderWaiting(working: readonly TaskId[]): string {
  const what = working.length === 0 ? "for the last words" : `for ${named(working)}`;
  return `stopping: waiting ${what}; another signal stops at once`;
}

function part(tasks: readonly TaskId[], one: string, many: string): string {
  return tasks.length === 0 ? "" : `${named(tasks)} ${tasks.length === 1 ? one : many}`;
}

function named(tasks: readonly TaskId[]): string {
  return `${tasks.length} ${tasks.length === 1 ? "run" : "runs"} (${tasks.join(", ")})`;
}
