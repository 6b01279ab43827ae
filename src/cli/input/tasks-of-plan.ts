import type { Size } from "../../domain/plan.ts";
import { phaseNamed, placedSubtasks } from "./place-subtasks.ts";
import type { PlacedSubtask } from "./place-subtasks.ts";
import type { ReadPhase, ReadPlan } from "./read-plan-file.ts";

/** This is a subtask of a plan, as a task of a list. */
export interface PhasedTask {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly files: readonly string[];
  readonly dependsOn: readonly string[];
  readonly labels: readonly string[];
  readonly size: Size | undefined;
  readonly parallelSafe: boolean;
  readonly line: number;
}

/** Makes a list of a plan: what a phase says of itself counts for each of its subtasks. Those that are done are left out. */
export function tasksOfPlan(plan: ReadPlan): readonly PhasedTask[] {
  const left = placedSubtasks(plan);
  const ids = idsOf(left);
  const named = (some: readonly PlacedSubtask[]): readonly string[] =>
    some.flatMap(({ at }) => ids.get(at) ?? []);
  return left.map((one) => {
    const phases = phasesBefore(one.phase, plan.phases);
    const before = left.filter(({ phase }) => phases.has(phase));
    return {
      id: ids.get(one.at) ?? one.id,
      title: one.title,
      body: one.description,
      files: one.files,
      dependsOn: [...new Set(named([...one.needs, ...before]))],
      labels: one.labels,
      size: one.size,
      parallelSafe: one.phase.parallelSafe || one.labels.some(isParallelSafe),
      line: one.line,
    };
  });
}

/** An id that several phases use is told apart by its phase: `index.1`, `page.1`. */
function idsOf(subtasks: readonly PlacedSubtask[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const { id } of subtasks) counts.set(id, (counts.get(id) ?? 0) + 1);
  return new Map(
    subtasks.map(({ id, at, phase }) => [
      at,
      counts.get(id) === 1 ? id : `${phase.names[0]}.${id}`,
    ]),
  );
}

/** A phase without subtasks of its own hands on what it waits for. */
function phasesBefore(
  phase: ReadPhase,
  phases: readonly ReadPhase[],
  found = new Set<ReadPhase>(),
): ReadonlySet<ReadPhase> {
  for (const name of phase.dependsOn) {
    const before = phaseNamed(name, phases);
    if (before === undefined || found.has(before)) continue;
    found.add(before);
    if (before.subtasks.length === 0) phasesBefore(before, phases, found);
  }
  return found;
}

function isParallelSafe(label: string): boolean {
  return label.toLowerCase() === "parallel-safe";
}
