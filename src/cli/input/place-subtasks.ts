import { quote } from "../../shared/quote.ts";
import type { ReadPhase, ReadPlan, ReadSubtask } from "./read-plan-file.ts";

/** A subtask with its phase, and the subtasks that it names and that are not done. */
export interface PlacedSubtask extends ReadSubtask {
  readonly phase: ReadPhase;
  readonly needs: readonly PlacedSubtask[];
}

/** Lists the names in `depends_on` that mean nothing. */
export function namingProblems(plan: ReadPlan): readonly string[] {
  return [
    ...plan.phases.flatMap((phase) => phaseProblems(phase, plan)),
    ...plan.phases.flatMap(({ subtasks }) => subtasks.flatMap((one) => subtaskProblems(one, plan))),
  ];
}

export function phaseNamed(name: string, phases: readonly ReadPhase[]): ReadPhase | undefined {
  return (
    phases.find(({ names: [first] }) => first === name) ??
    phases.find(({ names }) => names.includes(name))
  );
}

/** Lists the subtasks that are left to do. Nothing waits for those that are done. */
export function placedSubtasks({ phases }: ReadPlan): readonly PlacedSubtask[] {
  return phases.flatMap((phase) =>
    phase.subtasks
      .filter(({ done }) => !done)
      .map((one) => ({ ...one, phase, needs: needsOf(one, phase, phases) })),
  );
}

/** Ids may repeat from phase to phase: a subtask of the same phase is meant first. */
function needsOf(
  { dependsOn }: ReadSubtask,
  phase: ReadPhase,
  phases: readonly ReadPhase[],
): readonly PlacedSubtask[] {
  return dependsOn.flatMap((id) => {
    const home = [phase, ...phases].find(({ subtasks }) => subtasks.some((one) => one.id === id));
    const needed = home?.subtasks.find((one) => one.id === id);
    if (home === undefined || needed === undefined || needed.done) return [];
    return [{ ...needed, phase: home, needs: [] }];
  });
}

function phaseProblems({ dependsOn, at }: ReadPhase, { phases }: ReadPlan): readonly string[] {
  return dependsOn.flatMap((name, index) =>
    phaseNamed(name, phases) === undefined
      ? [`${at}.depends_on[${index}]: there is no phase ${quote(name)}`]
      : [],
  );
}

function subtaskProblems({ dependsOn, at }: ReadSubtask, { phases }: ReadPlan): readonly string[] {
  const ids = new Set(phases.flatMap(({ subtasks }) => subtasks.map(({ id }) => id)));
  return dependsOn.flatMap((id, index) =>
    ids.has(id) ? [] : [`${at}.depends_on[${index}]: there is no subtask ${quote(id)}`],
  );
}
