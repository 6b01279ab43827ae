import type { Instant, TaskId } from "../../domain/ids.ts";
import type { PlannableTask } from "../../domain/plan.ts";
import { assignWaves, rankedDependenciesFirst } from "../waves/assign-waves.ts";
import type { Backlog } from "../waves/backlog.ts";
import { wordPause, Waiting } from "./obstacle.ts";
import type { StartBan } from "./obstacle.ts";
import { pickStarts } from "./pick-starts.ts";
import type { Pick } from "./pick-starts.ts";
import { DEFAULT_RULES } from "./situation.ts";
import type { DispatchRules, Holder, HolderStage, Situation, Standing } from "./situation.ts";
import { SlotLedger } from "./slot-ledger.ts";
import type { FreeSlots } from "./slot-ledger.ts";

export interface Holding {
  readonly id: TaskId;
  readonly stage: HolderStage;
  readonly expectedEnd: Instant | undefined;
  /** Says where it runs, if that is known. */
  readonly runner?: string | undefined;
}

/** Shows one repository at one moment. Tasks of the backlog that neither hold claims nor have ended are waiting. */
export interface DispatchSnapshot {
  readonly now: Instant;
  /** Contains the tasks that wait and the tasks that hold claims. */
  readonly backlog: Backlog;
  readonly holding: readonly Holding[];
  readonly slots: FreeSlots;
  readonly rules?: Partial<DispatchRules>;
  /** These tasks of the backlog ended after it was prepared. */
  readonly ended?: ReadonlyMap<TaskId, "landed" | "failed" | "not-planned">;
  /** These tasks failed and nobody has dealt with them yet. They matter for `onFailure: stop-wave`. */
  readonly failures?: readonly TaskId[];
  /** These waiting tasks may not start before a moment: they failed and will be tried again. */
  readonly notBefore?: ReadonlyMap<TaskId, Instant>;
  readonly lastStartAt?: Instant | undefined;
  /** If it is set, nothing new starts. */
  readonly startBan?: StartBan | undefined;
  /** This is the wave in progress as the last decision returned it. Only `schedule: waves` uses it. */
  readonly wave?: readonly TaskId[];
  /** This is `Plan.order`, when conflicting tasks have to keep it. */
  readonly planOrder?: readonly TaskId[];
}

export interface Start {
  readonly id: TaskId;
  readonly reason: string;
  /** It is undefined when no runners are told apart. */
  readonly runner: string | undefined;
}

export interface DispatchDecision {
  readonly starts: readonly Start[];
  readonly waiting: readonly Waiting[];
  /** This is the wave in progress, to be handed to the next decision. It is empty unless `schedule` is `waves`. */
  readonly wave: readonly TaskId[];
}

/** Decides what starts now and says why everything else waits. */
export function decideStarts(snapshot: DispatchSnapshot): DispatchDecision {
  const situation = situationOf(snapshot);
  const { backlog } = snapshot;
  const waiting: Waiting[] = [];
  const ends = new Map<TaskId, number | undefined>();
  const surroundings = { backlog, ends };
  const picks = pickStarts(situation, (task, obstacle) => {
    waiting.push(new Waiting(task, obstacle, surroundings));
  });
  for (const { at, endsAt } of situation.holders) ends.set(idAt(backlog, at), endsAt);
  return {
    starts: picks.map((pick) => startOf(pick, situation)),
    waiting,
    wave: [...(situation.wave ?? [])].map((at) => idAt(backlog, at)),
  };
}

const START_REASONS: Readonly<Record<Pick["why"], string>> = {
  rework: "holds its claims and a slot is free",
  reserved: "has waited longest, and its claims and a slot are free",
  free: "its claims and a slot are free",
};

function startOf({ at, why }: Pick, { backlog, slots }: Situation): Start {
  const task = taskAt(backlog, at);
  const runner = slots.runnerFor(task);
  const wanted = slots.wantedBy(task);
  if (runner === undefined || wanted === undefined || runner === wanted) {
    return { id: task.id, reason: START_REASONS[why], runner };
  }
  const pause = slots.pauseOf(wanted);
  const cause = pause === undefined ? `${wanted} has no slot` : wordPause(wanted, pause);
  return { id: task.id, reason: `${cause}: ${runner} takes it`, runner };
}

function situationOf(snapshot: DispatchSnapshot): Situation {
  const { backlog } = snapshot;
  const rules = { ...DEFAULT_RULES, ...snapshot.rules };
  const standings = standingsOf(snapshot);
  const holders = snapshot.holding.map((holding) => holderOf(holding, backlog));
  return {
    now: snapshot.now,
    backlog,
    rules,
    standings,
    queue: backlog.ranking.ranked,
    holders,
    slots: new SlotLedger(snapshot.slots, snapshot.now),
    wave: rules.schedule === "waves" ? waveInProgress(snapshot, standings) : undefined,
    places: snapshot.planOrder === undefined ? undefined : planPlaces(backlog, snapshot.planOrder),
    failures: snapshot.failures ?? [],
    notBefore: snapshot.notBefore,
    lastStartAt: snapshot.lastStartAt,
    startBan: snapshot.startBan,
  };
}

function standingsOf({ backlog, holding, ended }: DispatchSnapshot): Standing[] {
  const standings = new Array<Standing>(backlog.tasks.length).fill("waiting");
  for (const [id, how] of ended ?? []) {
    const at = backlog.positions.get(id);
    if (at !== undefined) standings[at] = how === "landed" ? "landed" : "ended";
  }
  for (const { id } of holding) standings[positionOf(backlog, id)] = "holding";
  markStranded(standings, backlog);
  return standings;
}

/** Marks tasks that wait for one that ended without landing, because a stranded task must not keep others behind it in plan order. */
function markStranded(standings: Standing[], { dependencies }: Backlog): void {
  if (!standings.includes("ended")) return;
  const isLost = (at: number): boolean => standings[at] === "ended" || standings[at] === "stranded";
  for (const at of dependencies.topological) {
    if (standings[at] === "waiting" && dependencies.before[at]?.some(isLost) === true) {
      standings[at] = "stranded";
    }
  }
}

function holderOf({ id, stage, expectedEnd, runner }: Holding, backlog: Backlog): Holder {
  return { at: positionOf(backlog, id), stage, endsAt: expectedEnd, runner };
}

/** Returns the stored wave while one of its members is unfinished, else the first wave of the tasks that wait. */
function waveInProgress(
  { backlog, wave }: DispatchSnapshot,
  standings: readonly Standing[],
): ReadonlySet<number> {
  const isOpen = (at: number): boolean =>
    standings[at] === "holding" ||
    (standings[at] === "waiting" && backlog.dependencies.causes[at] === undefined);
  const stored = (wave ?? []).flatMap((id) => backlog.positions.get(id) ?? []).filter(isOpen);
  if (stored.length > 0) return new Set(stored);
  const holding = standings.flatMap((standing, at) => (standing === "holding" ? [at] : []));
  if (holding.length > 0) return new Set(holding);
  return new Set(
    assignWaves(backlog)
      .map((members) => members.filter(isOpen))
      .find((members) => members.length > 0),
  );
}

/** Gives each task its place in the plan. A dependency that was added after the plan was made overrules the plan, or both tasks would wait forever. */
export function planPlaces(backlog: Backlog, order: readonly TaskId[]): Float64Array {
  const planned = new Set(order.flatMap((id) => backlog.positions.get(id) ?? []));
  const newcomers = backlog.ranking.ranked.filter((at) => !planned.has(at));
  const places = new Float64Array(backlog.tasks.length).fill(Infinity);
  rankedDependenciesFirst(backlog, [...planned, ...newcomers]).forEach(
    (at, place) => (places[at] = place),
  );
  return places;
}

function positionOf(backlog: Backlog, id: TaskId): number {
  const at = backlog.positions.get(id);
  if (at === undefined) throw new Error(`${id} holds claims but is not in the backlog`);
  return at;
}

function idAt(backlog: Backlog, at: number): TaskId {
  return taskAt(backlog, at).id;
}

function taskAt(backlog: Backlog, at: number): PlannableTask {
  const task = backlog.tasks[at];
  if (task === undefined) throw new Error(`no task at position ${at}`);
  return task;
}
