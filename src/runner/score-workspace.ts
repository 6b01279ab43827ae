import type { Deps } from "../deps.ts";
import { isCandidate } from "../domain/candidates.ts";
import { REFUSAL } from "../domain/network/network.ts";
import type { Execute } from "../workspace/execute.ts";
import type { RunInProgress } from "./run-in-progress.ts";

const TAIL_BYTES = 4000;
/** Parts what the command prints from what was printed before it. */
const BEGINNING = "wavetrain: score";

/** What the repository's score command says of a candidate; undefined where there is none, or it says no number. */
export async function scoreWorkspace(
  execute: Execute,
  { context, run, task }: RunInProgress,
  deps: Deps,
): Promise<number | undefined> {
  const { score, timeouts } = context.config;
  if (score === undefined || !isCandidate(run, task)) return undefined;
  const command = `echo "${BEGINNING}"\n${score}`;
  const end = await execute({ step: "score", command, timeoutMs: timeouts.verify });
  const tail = await deps.processes.tail(deps.host.logPath(run.id), TAIL_BYTES);
  const found = end.kind === "exited" && end.code === 0 ? scoreIn(tail) : undefined;
  if (found === undefined)
    deps.log.warn({ repo: context.repo, task: task.id, run: run.id }, "score not told");
  return found;
}

export function scoreIn(log: string): number | undefined {
  const said = log.slice(log.lastIndexOf(BEGINNING) + BEGINNING.length).split("\n");
  // What was refused on the network may be told at any moment, also after the last word.
  const last =
    said.findLast((line) => line.trim() !== "" && !line.startsWith(REFUSAL))?.trim() ?? "";
  return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(last) ? Number(last) : undefined;
}
