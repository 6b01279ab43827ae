import { instant } from "../../src/domain/ids.ts";
import { simulate } from "../../src/planner/simulate.ts";
import type { DispatchRules } from "../../src/planner/starts/situation.ts";
import { prepareBacklog } from "../../src/planner/waves/backlog.ts";
import { drawConflicts, plainTask } from "./instance.ts";
import { normal, runMs, seededRandom } from "./random.ts";

const MEAN_RUN_MS = 253_000 * Math.exp(0.495 ** 2 / 2);

export interface Waits {
  readonly exclusive: readonly number[];
  readonly all: readonly number[];
}

/** Minutes that tasks of an open stream wait: 400 arrivals per seed, 2 % exclusive. */
export function openStreamWaits(
  { slots, load, seeds }: { slots: number; load: number; seeds: number },
  rules: Partial<DispatchRules>,
): Waits {
  const exclusive: number[] = [];
  const all: number[] = [];
  for (let seed = 1; seed <= seeds; seed += 1) {
    const random = seededRandom(seed * 7919);
    let clock = 0;
    const actual: number[] = [];
    const tasks = Array.from({ length: 400 }, (_, at) => {
      clock += (-Math.log(1 - random()) * MEAN_RUN_MS) / (load * slots);
      const ms = runMs(random);
      actual.push(ms);
      const estimateMs = Math.round(ms * Math.exp(0.4 * normal(random)));
      return plainTask(at, {
        exclusive: random() < 0.02,
        estimateMs,
        readySince: instant(Math.round(clock)),
      });
    });
    const graph = drawConflicts(random, { tasks: 400, density: 0.02, conflicts: "random" });
    tasks.forEach((task, at) => {
      if (task.exclusive) graph.joinAll(at);
    });
    const backlog = prepareBacklog(tasks, { slots, graphOf: () => graph });
    const { schedule } = simulate(backlog, {
      slots,
      from: instant(0),
      rules,
      actualMs: (at) => actual[at]!,
    });
    for (const { id, startMs } of schedule) {
      const task = backlog.tasks[backlog.positions.get(id)!]!;
      const minutes = (startMs - task.readySince) / 60_000;
      all.push(minutes);
      if (task.exclusive) exclusive.push(minutes);
    }
  }
  return { exclusive, all };
}
