import { createHash } from "node:crypto";
import { seededRandom } from "../../local-github/wire/seeded-random.ts";
import type { Change } from "../../src/domain/change.ts";
import { decideEnd, endedExploration } from "../../src/domain/explore/decide-end.ts";
import { meritOf } from "../../src/domain/exploration.ts";
import type { Exploration, ExplorePlan } from "../../src/domain/exploration.ts";
import { levelOn, nextStep } from "../../src/domain/explore/next-step.ts";
import { explorationId, instant, sha } from "../../src/domain/ids.ts";
import type { Instant, Sha } from "../../src/domain/ids.ts";
import type { Run, RunOutcome } from "../../src/domain/run.ts";
import type { Task } from "../../src/domain/task.ts";
import { decideEvaluations } from "../../src/scheduler/decide-evaluations.ts";
import { NOW, aPlan, aRun, aSpec, aTask, anExploration, shaOf } from "./builders.ts";

export interface Played {
  readonly exploration: Exploration;
  readonly runs: readonly Run[];
  readonly winner: number | undefined;
  readonly why: string;
  /** The most that were under way at once, and of one node. */
  readonly atOnce: number;
  readonly ofNode: number;
  readonly tookMs: number;
}

export interface Play {
  readonly seed: number;
  readonly slots: number;
  readonly plan?: Partial<ExplorePlan>;
  /** One of so many runs is lost to the world, at random and not by what it is. */
  readonly lostOneIn?: number;
}

const BASE = shaOf(1);

/** Plays an exploration by the decisions of the scheduler, with runs that take any time and end by what they are: the same idea on the same node at the same try ends alike. */
export function playExploration({ seed, slots, plan: wanted, lostOneIn }: Play): Played {
  const world = new PlayedWorld(seed, lostOneIn);
  const plan = aPlan({ ideas: ideasOf(5), beam: 3, depth: 2, ...wanted });
  const task = aTask({
    state: "running",
    attempts: 1,
    spec: aSpec({ explore: { ideas: { kind: "list", ideas: plan.ideas } } }),
  });
  let exploration = opened(task, plan);
  let now: Instant = NOW;
  let [atOnce, ofNode] = [0, 0];
  for (let round = 0; round < 10_000; round += 1) {
    const runs = world.runs;
    const facts = { budget: {}, maxLost: 10, now };
    const step = nextStep({ task, exploration, runs, ...facts });
    if (step.kind === "end") {
      const verdict = decideEnd(exploration, runs, step.why);
      const winner = verdict.kind === "winner" ? verdict.run.contender : undefined;
      const end = { why: verdict.why, ...(winner !== undefined && { winner }) };
      exploration = endedExploration(exploration, runs, { end, now });
      return { exploration, runs, winner, why: verdict.why, atOnce, ofNode, tookMs: now - NOW };
    }
    if (step.kind === "promote") {
      exploration = patched(exploration, step.change);
      continue;
    }
    const free = { overall: slots - world.underWay.length, runners: new Map([["shell", 99]]) };
    const { starts } = decideEvaluations({
      ...facts,
      tasks: [task],
      runs,
      explorations: [exploration],
      slots: free,
      launchDelayMs: 0,
      lastStartAt: undefined,
      held: false,
    });
    for (const run of starts) world.start(run, now);
    atOnce = Math.max(atOnce, world.underWay.length);
    ofNode = Math.max(ofNode, mostOfNode(world.underWay));
    now = world.endNext(exploration);
  }
  throw new Error("the exploration never ends");
}

export function ideasOf(count: number): ExplorePlan["ideas"] {
  return Array.from({ length: count }, (_, at) => ({ name: `idea-${at}`, text: `try ${at}` }));
}

function opened(task: Task, plan: ExplorePlan): Exploration {
  const root = [{ number: 0, commit: BASE }];
  const levels = [levelOn(root, plan, { depth: 1, after: 0, now: NOW })];
  return anExploration({ id: explorationId(task.id, 1), task: task.id, base: BASE, plan, levels });
}

function patched(exploration: Exploration, change: Change): Exploration {
  if (change.kind !== "exploration-moved") throw new Error(`not a level: ${change.kind}`);
  if (change.unchangedSince !== exploration.changedAt) throw new Error("closed twice");
  const { levels = exploration.levels } = change.set;
  // Two levels may be closed in the same moment of the test.
  return { ...exploration, levels, changedAt: instant(exploration.changedAt + 1) };
}

function mostOfNode(runs: readonly Run[]): number {
  const counts = runs.map(({ baseSha }) => runs.filter((one) => one.baseSha === baseSha).length);
  return Math.max(0, ...counts);
}

class PlayedWorld {
  /** It is another list after each change: what is known of a list is remembered. */
  runs: readonly Run[] = [
    aRun({ contender: 0, attempt: 1, state: "finished", outcome: opening() }),
  ];
  readonly #random: () => number;
  readonly #lostOneIn: number;
  readonly #endsAt = new Map<string, number>();
  readonly #seed: number;

  constructor(seed: number, lostOneIn = Infinity) {
    this.#seed = seed;
    this.#lostOneIn = lostOneIn;
    this.#random = seededRandom(seed * 7919 + 13);
  }

  get underWay(): readonly Run[] {
    return this.runs.filter(({ state }) => state === "running");
  }

  start(run: Run, now: Instant): void {
    if (this.runs.some(({ id }) => id === run.id)) throw new Error(`${run.id} runs twice`);
    this.runs = [...this.runs, { ...run, state: "running", startedAt: now }];
    this.#endsAt.set(run.id, now + 1 + Math.floor(this.#random() * 60_000));
  }

  /** Ends the run that is over first, and says when that is. */
  endNext({ plan }: Exploration): Instant {
    const [next] = this.underWay.toSorted((a, b) => this.#endOf(a) - this.#endOf(b));
    if (next === undefined) throw new Error("nothing runs, and nothing can start");
    const at = instant(this.#endOf(next));
    const isLost = this.#random() * this.#lostOneIn < 1;
    const outcome = isLost ? LOST : this.#outcomeOf(next, plan);
    const ended: Run = { ...next, state: "finished", finishedAt: at, outcome };
    this.runs = this.runs.map((run) => (run === next ? ended : run));
    return at;
  }

  #endOf({ id }: Run): number {
    return this.#endsAt.get(id) ?? 0;
  }

  /** It follows from the node, the idea and how often that was tried in earnest, and from nothing else. */
  #outcomeOf({ contender, baseSha }: Run, plan: ExplorePlan): RunOutcome {
    const tries = this.runs.filter(
      (one) => one.contender === contender && one.outcome !== undefined && one.outcome !== LOST,
    );
    const idea = (contender - 1) % plan.ideas.length;
    const draw = (what: string): number =>
      Number.parseInt(digestOf([this.#seed, baseSha, idea, tries.length, what]).slice(0, 8), 16);
    if (draw("fails") % 4 === 0) return { kind: "failed", exitCode: 1, tail: "" };
    // Few scores and few files, so that ties are decided, too.
    const score = draw("score") % 7;
    const files = Array.from({ length: 1 + (draw("files") % 3) }, (_, at) => `file-${at}`);
    const head = headOf([this.#seed, baseSha, idea]);
    const merit = meritOf(score, plan);
    const made = { head, files, outside: [], notes: "", score };
    return { kind: "succeeded", ...made, ...(merit !== undefined && { merit }) };
  }
}

const LOST: RunOutcome = { kind: "lost", reason: "the host went away" };

function opening(): RunOutcome {
  return { kind: "succeeded", head: BASE, files: [], outside: [], notes: "" };
}

function digestOf(parts: readonly unknown[]): string {
  return createHash("sha256").update(parts.join(" ")).digest("hex");
}

function headOf(parts: readonly unknown[]): Sha {
  return sha(digestOf(parts).slice(0, 40));
}
