import { instant } from "../domain/ids.ts";
import type { PlannableTask } from "../domain/plan.ts";
import { findObstacle, findSlotObstacle } from "./find-obstacle.ts";
import type { Candidate } from "./find-obstacle.ts";
import type { Obstacle } from "./obstacle.ts";
import { reserve } from "./reserve.ts";
import type { Reservation } from "./reserve.ts";
import { isReady } from "./situation.ts";
import type { Situation, Standing } from "./situation.ts";

export interface Pick {
  readonly at: number;
  readonly why: "rework" | "reserved" | "repository-idle" | "free";
}

type NoteWait = (task: PlannableTask, obstacle: Obstacle) => void;

/**
 * One round of dispatch: marks in the situation what starts now, and tells `noteWait` about every other waiting task.
 * Without `noteWait` it ends as soon as no slot is left.
 */
export function pickStarts(situation: Situation, noteWait?: NoteWait): readonly Pick[] {
  const round = new Round(situation, noteWait);
  for (const holder of situation.holders.filter(({ phase }) => phase === "rework")) {
    round.consider(holder.at, "rework");
  }
  if (round.reservation !== undefined) round.consider(round.reservation.at, "reserved");
  const first = firstWhenIdle(situation);
  if (first !== undefined) round.consider(first, "repository-idle");
  for (const at of situation.queue) {
    if (noteWait === undefined && situation.slots.isEmpty) break;
    round.consider(at, "free");
  }
  return round.picks;
}

class Round {
  readonly picks: Pick[] = [];
  readonly reservation: Reservation | undefined;
  readonly #situation: Situation;
  readonly #noteWait: NoteWait | undefined;
  readonly #considered = new Set<number>();
  #nextLaunchAt: number;

  constructor(situation: Situation, noteWait: NoteWait | undefined) {
    this.#situation = situation;
    this.#noteWait = noteWait;
    this.reservation = reserve(situation);
    const { lastStartAt, rules } = situation;
    this.#nextLaunchAt =
      lastStartAt === undefined ? situation.now : lastStartAt + rules.launchDelayMs;
  }

  consider(at: number, why: Pick["why"]): void {
    const situation = this.#situation;
    const task = situation.backlog.tasks[at];
    if (task === undefined || this.#considered.has(at)) return;
    if (why !== "rework" && !isWaiting(situation.standings[at])) return;
    if (why !== "free") this.#considered.add(at);
    const candidate = { at, task, situation, reservation: this.reservation };
    const obstacle = why === "rework" ? findSlotObstacle(candidate) : findObstacle(candidate);
    if (obstacle === undefined) this.#launch(candidate, why);
    else this.#noteWait?.(task, obstacle);
  }

  /** A staggered launch takes its claims and slot at once, so that nobody else is given them meanwhile. */
  #launch({ at, task, situation }: Candidate, why: Pick["why"]): void {
    const { now, rules, holders, standings, slots } = situation;
    slots.take(task);
    standings[at] = "holding";
    if (why !== "rework") {
      holders.push({ at, phase: "running", endsAt: now + task.estimateMs + rules.landingMs });
    }
    const launchAt = Math.max(now, this.#nextLaunchAt);
    this.#nextLaunchAt = launchAt + rules.launchDelayMs;
    if (launchAt <= now) this.picks.push({ at, why });
    else this.#noteWait?.(task, { kind: "pause", code: "launch-delay", until: instant(launchAt) });
  }
}

function isWaiting(standing: Standing | undefined): boolean {
  return standing === "waiting" || standing === "stranded";
}

/**
 * An idle repository is the cheapest moment for a task that runs alone: the best of them goes first,
 * unless a more urgent task is ready.
 */
function firstWhenIdle(situation: Situation): number | undefined {
  const { backlog, holders, wave, places } = situation;
  if (holders.length > 0 || wave !== undefined || places !== undefined) return undefined;
  if (backlog.ranking.eldest.alone.length === 0) return undefined;
  const { urgency } = backlog.ranking;
  const best = situation.queue.find((at) => isReady(at, situation));
  if (best === undefined) return undefined;
  return situation.queue.find(
    (at) => backlog.alone[at] === true && urgency[at] === urgency[best] && isReady(at, situation),
  );
}
