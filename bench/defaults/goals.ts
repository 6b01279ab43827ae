import type { Measures } from "./measures.ts";
import type { Scene } from "./scene.ts";

export interface Goal {
  readonly what: string;
  /** Undefined where it was not measured. */
  readonly reached: boolean | undefined;
}

/** Of the scene that other programs were measured with, too. */
const TWELVE = "twelve";

export function goalsOf(scene: Scene, found: Measures): readonly Goal[] {
  const most = (what: string, value: number, limit: number): Goal => ({
    what: `${what}: at most ${limit}, found ${value.toFixed(2)}`,
    reached: value <= limit,
  });
  const isMany = scene.unlimited;
  return [
    most("first start, s", found.firstStart, isMany ? 3 : 2),
    ...(scene.name === TWELVE ? ofTwelve(found, most) : []),
    exactly("agents at once", found.mostAtOnce, scene.slots),
    most("starts on a file that another has under way", found.writtenByTwo, 0),
    most("tasks redone", found.redone, 0),
    most("calls a task", found.callsPerTask, 10),
    most("writes a task", found.writesPerTask, 7),
    most("content writes a task", found.contentPerTask, 4),
    most("git processes a task", found.gitProcessesPerTask, 20),
    ...(isMany ? ofMany(found, most) : ofSlots(scene, found, most)),
  ];
}

type Most = (what: string, value: number, limit: number) => Goal;

function ofTwelve(found: Measures, most: Most): readonly Goal[] {
  return [
    most("all pull requests open, s", found.allPullRequests, 30),
    most("all landed, s", found.allLanded, 45),
    most("processor time of the main process, s", found.processor, 5),
  ];
}

function ofSlots(scene: Scene, found: Measures, most: Most): readonly Goal[] {
  const least = leastUtilization(scene.agentMs);
  const use = found.utilizationWithin;
  return [
    { what: `utilization: at least ${least}, found ${use.toFixed(3)}`, reached: use >= least },
    most("freed slot to next start, p95, s", found.refillP95, 0.25),
    most("second start after the first, s", found.secondAfterFirst, 1),
  ];
}

function ofMany({ megabytesEarly, megabytesAtEnd }: Measures, most: Most): readonly Goal[] {
  const what = "memory at the end / after 100 landings";
  if (megabytesEarly === undefined) return [{ what, reached: undefined }];
  return [most(what, megabytesAtEnd / megabytesEarly, 1.2)];
}

function exactly(what: string, value: number, wanted: number): Goal {
  return { what: `${what}: ${wanted}, found ${value}`, reached: value === wanted };
}

function leastUtilization(agentMs: number): number {
  if (agentMs >= 60_000) return 0.95;
  return agentMs >= 5000 ? 0.9 : 0.8;
}
