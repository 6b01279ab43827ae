import { instant } from "../../domain/ids.ts";
import type { PlannableTask } from "../../domain/plan.ts";
import { findObstacle, findSlotObstacle } from "./find-obstacle.ts";
import type { StartRequest } from "./find-obstacle.ts";
import type { Obstacle } from "./obstacle.ts";
import { reserve } from "./reserve.ts";
import type { Reservation } from "./reserve.ts";
import type { Situation, Standing } from "./situation.ts";

export interface Pick {
  readonly at: number;
  readonly why: "rework" | "reserved" | "free";
}

type NoteWait = (task: PlannableTask, obstacle: Obstacle) => void;

/**
 * Plays one round of dispatch: it marks in the situation what starts now, and tells `noteWait` about every other
 * waiting task. Without `noteWait` it ends as soon as nothing more can start.
 */
export function pickStarts(situation: Situation, noteWait?: NoteWait): readonly Pick[] {
  const round = new Round(situation, noteWait);
  for (const holder of situation.holders.filter(({ stage }) => stage === "rework")) {
    round.consider(holder.at, "rework");
  }
  if (round.reservation !== undefined) round.consider(round.reservation.at, "reserved");
  for (const at of situation.queue) {
    if (noteWait === undefined && isFull(situation)) break;
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
    if (task === undefined || !this.#isDue(at, why)) return;
    if (why !== "free") this.#considered.add(at);
    const request = { at, task, situation, reservation: this.reservation };
    const obstacle = why === "rework" ? findSlotObstacle(request) : findObstacle(request);
    if (obstacle === undefined) this.#launch(request, why);
    else this.#noteWait?.(task, obstacle);
  }

  #isDue(at: number, why: Pick["why"]): boolean {
    if (this.#considered.has(at)) return false;
    if (why === "rework") return true;
    if (!isWaiting(this.#situation.standings[at])) return false;
    return this.#noteWait !== undefined || !isKeptOut(at, this.#situation);
  }

  /** A launch that waits for its turn takes its claims and slot for this round only: the next round decides anew. */
  #launch({ at, task, situation }: StartRequest, why: Pick["why"]): void {
    const { now, rules, holders, standings, slots } = situation;
    slots.take(task);
    standings[at] = "holding";
    if (why !== "rework") {
      holders.push({ at, stage: "running", endsAt: now + task.estimateMs + rules.landingMs });
    }
    const launchAt = Math.max(now, this.#nextLaunchAt);
    this.#nextLaunchAt = launchAt + rules.launchDelayMs;
    if (launchAt <= now) this.picks.push({ at, why });
    else this.#noteWait?.(task, { kind: "pause", code: "launch-delay", until: instant(launchAt) });
  }
}

function isFull({ slots, holders, backlog }: Situation): boolean {
  return slots.isEmpty || holders.some(({ at }) => backlog.alone[at] === true);
}

/** Checks for the commonest obstacle without wording it. */
function isKeptOut(at: number, { holders, backlog }: Situation): boolean {
  for (const holder of holders) if (backlog.graph.conflicts(holder.at, at)) return true;
  return false;
}

function isWaiting(standing: Standing | undefined): boolean {
  return standing === "waiting" || standing === "stranded";
}
