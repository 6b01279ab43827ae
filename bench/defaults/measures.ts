import { instant, taskId } from "../../src/domain/ids.ts";
import { playOutMs } from "../../src/planner/play-out.ts";
import { prepareBacklog } from "../../src/planner/waves/backlog.ts";
import type { Seen } from "./run-scene.ts";
import { cardsOf } from "./scene.ts";
import type { Scene } from "./scene.ts";
import { slotUse } from "./slot-use.ts";

/** Seconds unless the name says something else; Infinity for what did not happen. */
export type Measures = ReturnType<typeof measuresOf>;

export function measuresOf(scene: Scene, seen: Seen) {
  const { lives, readyAt, openedAt, landedAt } = seen;
  const { refillsMs, ...use } = slotUse(lives, scene.slots, { landedAt });
  const after = (at: number | undefined): number => ((at ?? Infinity) - readyAt) / 1000;
  const [first, second] = lives;
  const allLanded = after(lastOf(landedAt, scene.cards));
  const perfect = perfectMs(scene) / 1000;
  const landed = Math.max(1, landedAt.size);
  return {
    scene: scene.name,
    firstStart: after(first?.startedAt),
    secondAfterFirst: after(second?.startedAt) - after(first?.startedAt),
    allPullRequests: after(lastOf(openedAt, scene.cards)),
    allLanded,
    landed: landedAt.size,
    ...use,
    refillP50: quantile(refillsMs, 0.5) / 1000,
    refillP95: quantile(refillsMs, 0.95) / 1000,
    perfect,
    timesPerfect: allLanded / perfect,
    callsPerTask: seen.calls / landed,
    writesPerTask: seen.writes / landed,
    contentPerTask: seen.content / landed,
    processor: seen.processor.ownMs / 1000,
    processorOfStartUp: seen.startUp.ownMs / 1000,
    processorOfChildren: seen.processor.childrenMs / 1000,
    gitCommandsPerTask: seen.git.commands / landed,
    gitProcessesPerTask: seen.git.processes / landed,
    megabytesEarly: seen.memory.early,
    megabytesAtEnd: seen.memory.end,
  };
}

function lastOf(times: ReadonlyMap<string, number>, cards: number): number | undefined {
  return times.size < cards ? undefined : Math.max(...times.values());
}

/** The scene's agents under the planner's decisions when nothing else takes any time. */
function perfectMs(scene: Scene): number {
  const tasks = cardsOf(scene).map(({ id, path, repository }, at) => ({
    id: taskId(id),
    order: at + 1,
    title: "",
    claims: [{ mode: "write" as const, pattern: `${repository}/${path}` }],
    dependsOn: [],
    parallelSafe: true,
    exclusive: false,
    priority: "normal" as const,
    size: undefined,
    parent: undefined,
    runner: undefined,
    readySince: instant(0),
    estimateMs: scene.agentMs,
    invalid: undefined,
  }));
  const { slots, agentMs } = scene;
  const timesOf = () => ({ runs: [agentMs], pauses: [], landing: 0 });
  return playOutMs(prepareBacklog(tasks, { slots }), { slots, timesOf });
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}
