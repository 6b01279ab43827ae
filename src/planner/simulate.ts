import TinyQueue from "tinyqueue";
import type { Instant, TaskId } from "../domain/ids.ts";
import type { Scheduled } from "../domain/plan.ts";
import { planPlaces } from "./starts/decide-starts.ts";
import type { Holding } from "./starts/decide-starts.ts";
import { pickStarts } from "./starts/pick-starts.ts";
import { DEFAULT_RULES } from "./starts/situation.ts";
import type { DispatchRules, Holder, Standing } from "./starts/situation.ts";
import { SlotLedger } from "./starts/slot-ledger.ts";
import { assignWaves } from "./waves/assign-waves.ts";
import type { Backlog } from "./waves/backlog.ts";

export interface SimulationOptions {
  readonly slots: number;
  /** The simulation starts at this moment. Tasks that are ready later arrive while it goes on. */
  readonly from: Instant;
  readonly rules?: Partial<DispatchRules>;
  /** These tasks hold their claims at the beginning. One without an expected end takes its whole estimate. */
  readonly holding?: readonly Holding[];
  readonly planOrder?: readonly TaskId[];
  /** Says how long a task really holds its claims. Without it, a task takes its estimate. */
  readonly actualMs?: (at: number) => number;
}

export interface Simulation {
  /** Tasks are listed in the order in which they start. */
  readonly schedule: readonly Scheduled[];
  readonly makespanMs: number;
}

/** Plays dispatch to the end with the same decisions as in a real run, except that launches are not staggered. */
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
  readonly #running = new TinyQueue<Running>([], (a, b) => a.endsAt - b.endsAt || a.at - b.at);
  readonly #freeSlots = new TinyQueue<number>([], (a, b) => a - b);
  /** Holds the tasks that are not ready yet; the next to arrive is at the end. */
  readonly #arrivals: number[];
  /** Counts for each task how many of its dependencies have not landed. */
  readonly #missing: number[];
  readonly #waves: (readonly number[])[] | undefined;
  #queue: number[];
  #holders: Holder[] = [];
  #now: number;

  constructor(backlog: Backlog, options: SimulationOptions) {
    this.#backlog = backlog;
    this.#options = options;
    this.#rules = { ...DEFAULT_RULES, ...options.rules, launchDelayMs: 0 };
    this.#standings = new Array<Standing>(backlog.tasks.length).fill("waiting");
    this.#places = options.planOrder && planPlaces(backlog, options.planOrder);
    this.#slots = new SlotLedger({ overall: options.slots });
    this.#now = options.from;
    const held = (options.holding ?? []).flatMap((holding) => this.#hold(holding));
    this.#missing = backlog.dependencies.before.map((before) => before.length);
    const plannable = backlog.ranking.ranked.filter(
      (at) => backlog.dependencies.causes[at] === undefined && this.#standings[at] === "waiting",
    );
    this.#queue = plannable.filter((at) => this.#isOpen(at));
    this.#arrivals = plannable
      .filter((at) => this.#readyAt(at) > this.#now)
      .sort((a, b) => this.#readyAt(b) - this.#readyAt(a));
    this.#waves = this.#rules.schedule === "waves" ? [...assignWaves(backlog, held)] : undefined;
  }

  /** Plays one moment: starts what can start, then goes on to the next thing that happens. */
  step(): boolean {
    this.#startAll();
    const next = this.#nextMoment();
    if (next === undefined) return false;
    this.#now = next;
    while ((this.#running.peek()?.endsAt ?? Infinity) <= next) this.#end();
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
      lastStartAt: undefined,
    });
    for (const { at } of picks) this.#start(at);
    if (picks.length > 0) {
      this.#queue = this.#queue.filter((at) => this.#standings[at] === "waiting");
    }
  }

  #hold({ id, stage, expectedEnd }: Holding): readonly number[] {
    const at = this.#backlog.positions.get(id);
    const task = at === undefined ? undefined : this.#backlog.tasks[at];
    if (at === undefined || task === undefined) return [];
    const endsAt = Math.max(this.#now, expectedEnd ?? this.#now + task.estimateMs);
    this.#standings[at] = "holding";
    this.#holders.push({ at, stage, endsAt });
    this.#slots.take(task);
    this.#occupy(at, endsAt);
    return [at];
  }

  #start(at: number): void {
    const estimateMs = this.#backlog.tasks[at]?.estimateMs ?? 0;
    this.#occupy(at, this.#now + (this.#options.actualMs?.(at) ?? estimateMs));
  }

  #occupy(at: number, endsAt: number): void {
    const task = this.#backlog.tasks[at];
    if (task === undefined) return;
    const slot = this.#freeSlots.pop() ?? this.#running.length;
    this.#running.push({ at, endsAt, slot });
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
    for (const next of this.#backlog.dependencies.after[ended.at] ?? []) this.#release(next);
  }

  #release(at: number): void {
    this.#missing[at] = (this.#missing[at] ?? 0) - 1;
    const isPlannable = this.#backlog.dependencies.causes[at] === undefined;
    if (isPlannable && this.#standings[at] === "waiting" && this.#isOpen(at)) this.#enqueue(at);
  }

  #arrive(): void {
    const at = this.#arrivals.pop();
    if (at !== undefined && this.#missing[at] === 0) this.#enqueue(at);
  }

  /** Only tasks that could start are in the queue, or every moment would pass over all the others. */
  #isOpen(at: number): boolean {
    return this.#missing[at] === 0 && this.#readyAt(at) <= this.#now;
  }

  #enqueue(at: number): void {
    const { placeOf } = this.#backlog.ranking;
    const behind = this.#queue.findIndex((other) => (placeOf[other] ?? 0) > (placeOf[at] ?? 0));
    this.#queue.splice(behind < 0 ? this.#queue.length : behind, 0, at);
  }

  #nextMoment(): number | undefined {
    const next = Math.min(this.#running.peek()?.endsAt ?? Infinity, this.#nextArrival());
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
