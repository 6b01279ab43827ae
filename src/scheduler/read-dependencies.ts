import type { Deps } from "../deps.ts";
import type { DependencyIssue, RepoReading } from "../domain/board.ts";
import { taskIdOf } from "../domain/ids.ts";
import type { RepoName, TaskId } from "../domain/ids.ts";
import { isPlanned } from "../domain/task.ts";
import type { Task } from "../domain/task.ts";
import { dependenciesOf } from "./phases.ts";
import type { Dependencies, Phases } from "./phases.ts";
import { issueStates } from "./read-facts.ts";

interface Asked {
  readonly repo: RepoName;
  readonly reading: RepoReading;
}

/** Asks GitHub; most repositories have nothing to ask about. */
export async function readDependencies(
  { repo, reading }: Asked,
  deps: Pick<Deps, "store" | "github">,
): Promise<Dependencies> {
  const { tasks } = await deps.store.readRepo(repo);
  const planned = tasks.filter((task) => isPlanned(task.state));
  const phases = await readPhases(planned, { repo, reading }, deps);
  const unknown = await unknownOf(
    planned.flatMap((task) => dependenciesOf(task, phases)),
    { planned, reading },
    deps,
  );
  if (unknown.length === 0) return { phases, looked: new Map() };
  const found = await deps.github.issueStates(repo, unknown);
  return { phases, looked: new Map(unknown.map((id) => [id, found.get(id) ?? "absent"])) };
}

async function unknownOf(
  dependencies: readonly TaskId[],
  { planned, reading }: { readonly planned: readonly Task[]; readonly reading: RepoReading },
  { store }: Pick<Deps, "store">,
): Promise<readonly TaskId[]> {
  const own = new Set(planned.map(({ id }) => id));
  const outside = [...new Set(dependencies)].filter((id) => !own.has(id));
  if (outside.length === 0) return [];
  const stored = await store.taskStates(outside);
  const seen = issueStates(reading);
  return outside.filter((id) => !stored.has(id) && !seen.has(id));
}

/** A parent issue is seldom a task itself, and nobody may ever close it: its sub-issues say how far it is. */
async function readPhases(
  planned: readonly Task[],
  { repo, reading }: Asked,
  { store, github }: Pick<Deps, "store" | "github">,
): Promise<Phases> {
  const own = new Set(planned.map(({ id }) => id));
  const outside = new Set(
    planned.flatMap(({ spec }) => spec.dependsOn).filter((id) => !own.has(id)),
  );
  if (outside.size === 0) return new Map();
  const states = issueStates(reading);
  const stored = await store.taskStates([...outside]);
  const open = [...outside].filter((id) => {
    return !stored.has(id) && (states.get(id) ?? "open") === "open";
  });
  if (open.length === 0) return new Map();
  const found = await github.subIssues(repo, open);
  return new Map([...found].map(([id, children]) => [id, membersOf(children)]));
}

function membersOf(children: readonly DependencyIssue[]): readonly TaskId[] {
  return children
    .filter(({ state }) => state !== "not-planned")
    .map((child) => taskIdOf(child.repo, child.number));
}
