import { instant, taskId } from "../../src/domain/ids.ts";
import type { PlannableTask } from "../../src/domain/plan.ts";

export interface TaskSketch extends Partial<Omit<PlannableTask, "id" | "dependsOn" | "claims">> {
  readonly id?: string;
  readonly files?: readonly string[];
  readonly reads?: readonly string[];
  readonly after?: readonly string[];
  readonly minutes?: number;
}

/** A parallel-safe task `t<order>` that writes a file of its own, unless the sketch says otherwise. */
export function buildTask(order: number, sketch: TaskSketch = {}): PlannableTask {
  const { id, files, reads, after, minutes, ...rest } = sketch;
  return {
    id: taskId(id ?? `t${order}`),
    order,
    title: "",
    claims: [
      ...(files ?? [`own/${order}.ts`]).map((pattern) => ({ mode: "write" as const, pattern })),
      ...(reads ?? []).map((pattern) => ({ mode: "read" as const, pattern })),
    ],
    dependsOn: (after ?? []).map(taskId),
    parallelSafe: true,
    exclusive: false,
    priority: "normal",
    size: undefined,
    parent: undefined,
    runner: undefined,
    readySince: instant(0),
    estimateMs: (minutes ?? 4) * 60_000,
    invalid: undefined,
    ...rest,
  };
}
