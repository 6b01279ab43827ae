import type { Deps } from "../deps.ts";
import type { DependencyIssue } from "../domain/board.ts";
import { taskIdOf } from "../domain/ids.ts";
import type { TaskId } from "../domain/ids.ts";
import { isPlanned } from "../domain/task.ts";
import { issueStates } from "./read-facts.ts";
import type { FactsRequest } from "./read-facts.ts";
import type { Phases } from "./phases.ts";

/** A parent issue is seldom a task itself, and nobody may ever close it: its sub-issues say how far it is. */
export async function readPhases(
  { repo, tasks, reading }: Pick<FactsRequest, "repo" | "tasks" | "reading">,
  deps: Deps,
): Promise<Phases> {
  const planned = tasks.filter((task) => isPlanned(task.state));
  const own = new Set(planned.map(({ id }) => id));
  const outside = new Set(
    planned.flatMap(({ spec }) => spec.dependsOn).filter((id) => !own.has(id)),
  );
  if (outside.size === 0) return new Map();
  const states = issueStates(reading);
  const stored = await deps.store.taskStates([...outside]);
  const open = [...outside].filter((id) => {
    return !stored.has(id) && (states.get(id) ?? "open") === "open";
  });
  if (open.length === 0) return new Map();
  const found = await deps.github.subIssues(repo, open);
  return new Map([...found].map(([id, children]) => [id, membersOf(children)]));
}

function membersOf(children: readonly DependencyIssue[]): readonly TaskId[] {
  return children
    .filter(({ state }) => state !== "not-planned")
    .map((child) => taskIdOf(child.repo, child.number));
}
