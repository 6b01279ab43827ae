import { instant } from "../domain/ids.ts";
import type { Instant, TaskId } from "../domain/ids.ts";
import type { Scheduled } from "../domain/plan.ts";
import { assignWaves } from "./assign-waves.ts";
import type { Backlog } from "./backlog.ts";
import { planPlaces } from "./decide-starts.ts";
import { MinHeap } from "./min-heap.ts";
import { pickStarts } from "./pick-starts.ts";
import { DEFAULT_RULES } from "./situation.ts";
import type { DispatchRules, Holder, Standing } from "./situation.ts";
import { SlotLedger } from "./slot-ledger.ts";

export interface SimulationOptions {
  readonly slots: number;
  /** Tasks that are ready later than this arrive during the simulation. */
  readonly from: Instant;
  readonly rules?: Partial<DispatchRules>;
  readonly planOrder?: readonly TaskId[];
  /** How long a task really holds its claims; its estimate unless told. */
  readonly actualMs?: (at: number) => number;
}

export interface Simulation {
  /** By start. */
  readonly schedule: readonly Scheduled[];
  readonly makespanMs: number;
}

/** Plays dispatch to the end, with the same decisions as in earnest. */
export function simulate(backlog: Backlog, options: SimulationOptions): Simulation {
  const world = new World(backlog, options);
  while (world.step());
  return { schedule: world.schedule, makespanMs: world.makespanMs };
}

interface Running {
  readonly at: number;
  readonly endsAt: number;
  readonly slot: number;
}

class World {
  readonly schedule: Scheduled[] = [];
  makespanMs = 0;
  readonly #backlog: Backlog;
  readonly #options: SimulationOptions;
  readonly #rules: DispatchRules;
  readonly #standings: Standing[];
  readonly #places: Float64Array | undefined;
  readonly #slots: SlotLedger;
  readonly #running = new MinHeap<Running>(
    (a, b) => a.endsAt < b.endsAt || (a.endsAt === b.endsAt && a.at < b.at),
  );
  readonly #freeSlots = new MinHeap<number>((a, b) => a < b);
  readonly #arrivals: number[];
  readonly #waves: (readonly number[])[] | undefined;
  #queue: number[];
  #holders: Holder[] = [];
  #now: number;
  #lastStartAt: Instant | undefined;

  constructor(backlog: Backlog, options: SimulationOptions) {
    this.#backlog = backlog;
    this.#options = options;
    this.#rules = { ...DEFAULT_RULES, ...options.rules };
    this.#standings = new Array<Standing>(backlog.tasks.length).fill("waiting");
    this.#places = options.planOrder && planPlaces(backlog, options.planOrder);
    this.#slots = new SlotLedger({ overall: options.slots });
    this.#now = options.from;
    const plannable = backlog.ranking.ranked.filter(
      (at) => backlog.dependencies.causes[at] === undefined,
    );
    this.#queue = plannable.filter((at) => this.#readyAt(at) <= this.#now);
    this.#arrivals = plannable
      .filter((at) => this.#readyAt(at) > this.#now)
      .sort((a, b) => this.#readyAt(b) - this.#readyAt(a));
    this.#waves = this.#rules.schedule === "waves" ? [...assignWaves(backlog)] : undefined;
  }

  /** One moment: start what can start, then go on to the next thing that happens. */
  step(): boolean {
    this.#startAll();
    const next = this.#nextMoment();
    if (next === undefined) return false;
    this.#now = next;
    while ((this.#running.least?.endsAt ?? Infinity) <= next) this.#end();
    while (this.#nextArrival() <= next) this.#arrive();
    return true;
  }

  #startAll(): void {
    const picks = pickStarts({
      now: this.#now,
      backlog: this.#backlog,
      rules: this.#rules,
      standings: this.#standings,
      queue: this.#queue,
      holders: this.#holders,
      slots: this.#slots,
      wave: this.#wave(),
      places: this.#places,
      failures: [],
      notBefore: undefined,
      lastStartAt: this.#lastStartAt,
    });
    for (const { at } of picks) this.#start(at);
    if (picks.length > 0) {
      this.#queue = this.#queue.filter((at) => this.#standings[at] === "waiting");
    }
  }

  #start(at: number): void {
    const task = this.#backlog.tasks[at];
    if (task === undefined) return;
    const endsAt = this.#now + (this.#options.actualMs?.(at) ?? task.estimateMs);
    const slot = this.#freeSlots.pop() ?? this.#running.size;
    this.#running.push({ at, endsAt, slot });
    this.#lastStartAt = instant(this.#now);
    const startMs = this.#now - this.#options.from;
    const endMs = endsAt - this.#options.from;
    this.schedule.push({ id: task.id, startMs, endMs, slot });
    this.makespanMs = Math.max(this.makespanMs, endMs);
  }

  #end(): void {
    const ended = this.#running.pop();
    if (ended === undefined) return;
    const task = this.#backlog.tasks[ended.at];
    if (task === undefined) return;
    this.#standings[ended.at] = "landed";
    this.#holders = this.#holders.filter((holder) => holder.at !== ended.at);
    this.#slots.give(task);
    this.#freeSlots.push(ended.slot);
  }

  #arrive(): void {
    const at = this.#arrivals.pop();
    if (at === undefined) return;
    const waiting = new Set(this.#queue).add(at);
    this.#queue = this.#backlog.ranking.ranked.filter((one) => waiting.has(one));
  }

  #nextMoment(): number | undefined {
    const next = Math.min(this.#running.least?.endsAt ?? Infinity, this.#nextArrival());
    return next === Infinity ? undefined : next;
  }

  #nextArrival(): number {
    const at = this.#arrivals.at(-1);
    return at === undefined ? Infinity : this.#readyAt(at);
  }

  #readyAt(at: number): number {
    return this.#backlog.tasks[at]?.readySince ?? 0;
  }

  #wave(): ReadonlySet<number> | undefined {
    if (this.#waves === undefined) return undefined;
    while (this.#waves[0]?.every((at) => this.#standings[at] === "landed") === true) {
      this.#waves.shift();
    }
    return new Set(this.#waves[0]);
  }
}
