import { describe, expect, it } from "vitest";
import type { Change } from "../../src/domain/change.ts";
import type { ExplorePlan } from "../../src/domain/exploration.ts";
import { levelOn } from "../../src/domain/explore/next-step.ts";
import { instant, taskIdOf } from "../../src/domain/ids.ts";
import { mayFollow } from "../../src/domain/task.ts";
import type { Task } from "../../src/domain/task.ts";
import { decide } from "../../src/scheduler/decide.ts";
import type { SchedulerDecision } from "../../src/scheduler/decide.ts";
import type { SchedulerSnapshot } from "../../src/scheduler/snapshot.ts";
import { aConfig } from "../support/a-config.ts";
import {
  NOW,
  REPO,
  aHold,
  aPlan,
  aPull,
  aRun,
  aSpec,
  aTask,
  anExploration,
  shaOf,
} from "../support/builders.ts";
import { aRunner, someLimits } from "../support/pool.ts";

const LATER = instant(NOW + 60_000);

function snapshot(
  tasks: readonly Task[],
  members: Partial<SchedulerSnapshot> & {
    readonly config?: Readonly<Record<string, unknown>>;
  } = {},
): SchedulerSnapshot {
  const { config, ...rest } = members;
  return {
    context: { repo: REPO, base: "main", config: aConfig(config) },
    now: NOW,
    tasks,
    holds: [],
    fence: 0,
    runs: [],
    explorations: [],
    running: [],
    facts: new Map(),
    limits: someLimits(),
    recent: [],
    availableMemory: Infinity,
    history: [],
    directories: undefined,
    wave: [],
    pulls: [],
    ...rest,
  };
}

/** A task that writes a file of its own. */
function writes(issue: number, pattern: string, members: Partial<Task> = {}): Task {
  return aTask({ issue, spec: aSpec({ claims: [{ mode: "write", pattern }] }), ...members });
}

function started({ actions }: SchedulerDecision): readonly string[] {
  return actions.flatMap((action) => (action.kind === "start-run" ? [action.run.task] : []));
}

function changes({ actions }: SchedulerDecision) {
  return actions.flatMap((action) => ("changes" in action ? action.changes : []));
}

function wordsFor(decision: SchedulerDecision, task: Task): string | undefined {
  const about = changes(decision).find((change) => "task" in change && change.task === task.id);
  return about !== undefined && "reason" in about ? about.reason : undefined;
}

/** The task as the store has it after these changes. */
function afterChanges(task: Task, made: readonly Change[]): Task {
  return made.reduce<Task>((now, change) => {
    if (!("task" in change) || change.task !== task.id) return now;
    if (change.kind === "task-explained")
      return { ...now, reason: change.reason, wave: change.wave };
    if (change.kind !== "task-moved") return now;
    return { ...now, state: change.to, wave: change.set.wave ?? now.wave };
  }, task);
}

function contest(count: number): ExplorePlan["ideas"] {
  return Array.from({ length: count }, (_, at) => ({ name: String(at + 1), text: "" }));
}

function landed(task: Task): Task {
  return { ...task, state: "landed" };
}

describe("decide", () => {
  it("begins no further contender of an attempt that somebody cancelled", () => {
    const task = writes(1, "a.ts", {
      state: "running",
      attempts: 1,
      spec: aSpec({ contenders: 2 }),
    });
    const run = aRun({ task: task.id, state: "running", baseSha: shaOf(1) });
    const runs = [run];
    const plan = aPlan({ ideas: contest(2), depth: 1 });
    const root = [{ number: 0, commit: shaOf(1) }];
    const levels = [levelOn(root, plan, { depth: 1, after: 0, now: NOW })];
    const explorations = [anExploration({ task: task.id, plan, levels })];
    expect(started(decide(snapshot([task], { runs, explorations })))).toEqual([task.id]);
    const cancels = new Map([[run.id, "cancelled by ann"]]);
    expect(started(decide(snapshot([task], { runs, explorations, cancels })))).toEqual([]);
  });

  it("finds other words for no task that waits for a slot when another run takes it", () => {
    const limits = someLimits({ overall: 1 });
    const [first, second, third] = [writes(1, "a.ts"), writes(2, "b.ts"), writes(3, "c.ts")];
    const before = decide(snapshot([first, second, third], { limits }));
    const reason = wordsFor(before, third);
    const told = { ...third, reason: reason ?? "", wave: 1 };
    const running = [aRun({ task: second.id })];
    const tasks = [{ ...second, state: "running" as const }, told];
    const after = decide(snapshot(tasks, { limits, running, runs: running }));
    expect([started(before), started(after), reason]).toEqual([[first.id], [], "no slot is free"]);
    expect(changes(after)).toEqual([]);
    const finishing = { finishing: 9, publishing: 0, publishingSince: undefined };
    expect(changes(decide(snapshot([told], { finishing })))).toEqual([]);
  });

  it("starts first, and writes down after that why others wait", () => {
    const limits = someLimits({ overall: 1 });
    const { actions } = decide(snapshot([writes(1, "a.ts"), writes(2, "b.ts")], { limits }));
    expect(actions.map(({ kind }) => kind)).toEqual(["start-run", "record"]);
  });

  it("starts a waiting task: its run is written before the task moves", () => {
    const { actions } = decide(snapshot([writes(1, "a.ts", { attempts: 2, notBefore: NOW })]));
    expect(actions).toMatchObject([
      {
        kind: "start-run",
        run: {
          id: "octo.app.1.3",
          task: `${REPO}#1`,
          attempt: 3,
          runner: "agent",
          branch: "wavetrain/1",
          state: "queued",
          queuedAt: NOW,
          specHash: "spec-1",
        },
        changes: [
          { kind: "run-queued" },
          {
            kind: "task-moved",
            from: "waiting",
            to: "running",
            at: NOW,
            set: { attempts: 3, notBefore: null, branch: "wavetrain/1" },
          },
          {
            kind: "claims-taken",
            hold: {
              task: `${REPO}#1`,
              run: "octo.app.1.3",
              fence: 1,
              takenAt: NOW,
              claims: [{ mode: "write", pattern: "a.ts" }],
            },
          },
        ],
      },
    ]);
  });

  it("takes claims one after another, from the number that it has read", () => {
    const decision = decide(snapshot([writes(1, "a.ts"), writes(2, "b.ts")], { fence: 7 }));
    const fences = changes(decision).flatMap((change) =>
      change.kind === "claims-taken" ? change.hold.fence : [],
    );
    expect(fences).toEqual([8, 9]);
  });

  it("plans a task at work with what it holds, not with what it declares", () => {
    const [busy, next] = [writes(1, "a.ts", { state: "running" }), writes(2, "b.ts")];
    const claims = [{ mode: "write", pattern: "b.ts" }] as const;
    const holds = [aHold({ task: busy.id, claims })];
    expect(started(decide(snapshot([busy, next])))).toEqual([next.id]);
    expect(started(decide(snapshot([busy, next], { holds })))).toEqual([]);
  });

  it("keeps the branch that an earlier attempt used", () => {
    const { actions } = decide(snapshot([writes(1, "a.ts", { branch: "wavetrain/old" })]));
    expect(actions).toMatchObject([{ run: { branch: "wavetrain/old" } }]);
  });

  it.each([
    { of: "the task", task: "codex", repo: "claude", used: "codex" },
    { of: "the repository", task: undefined, repo: "claude", used: "claude" },
    { of: "the operator", task: undefined, repo: undefined, used: "agent" },
  ])("takes the runner of $of", ({ task, repo, used }) => {
    const limits = someLimits({
      runners: { agent: aRunner(), claude: aRunner(), codex: aRunner() },
    });
    const spec = aSpec({ runner: task });
    const config = repo === undefined ? {} : { runner: repo };
    const { actions } = decide(snapshot([aTask({ spec })], { limits, config }));
    expect(actions).toMatchObject([{ run: { runner: used } }]);
  });

  it("lets a task wait, and says why, whose runner does not exist", () => {
    const task = aTask({ spec: aSpec({ runner: "nobody" }) });
    const decision = decide(snapshot([task]));
    expect(started(decision)).toEqual([]);
    expect(wordsFor(decision, task)).toContain("nobody");
  });

  it("starts only one of two tasks that may write the same file, and names the other", () => {
    const [first, second] = [writes(1, "src/**"), writes(2, "src/a.ts")];
    const decision = decide(snapshot([second, first]));
    expect(started(decision)).toEqual([first.id]);
    expect(wordsFor(decision, second)).toContain("#1");
  });

  it("waits for reviewers, but not for a train that has not taken in their approval yet", () => {
    const inReview = writes(1, "a.ts", { state: "review", pull: 7 });
    const tasks = [inReview, writes(2, "b.ts")];
    const config = { limits: { review: 1 } };
    expect(started(decide(snapshot(tasks, { config })))).toEqual([]);
    const pushedTo = aPull({ number: 7, head: shaOf(8) });
    expect(started(decide(snapshot(tasks, { config, pulls: [pushedTo] })))).toEqual([]);
    const approved = aPull({ number: 7 });
    expect(started(decide(snapshot(tasks, { config, pulls: [approved] })))).toEqual([`${REPO}#2`]);
  });

  it.each(["running", "review", "queued"] as const)(
    "keeps a task back while a %s one holds its files",
    (state) => {
      const decision = decide(snapshot([writes(1, "a.ts", { state }), writes(2, "a.ts")]));
      expect(started(decision)).toEqual([]);
    },
  );

  it("starts a blocked task in the same pass in which its obstacle is gone", () => {
    const decision = decide(snapshot([writes(1, "a.ts", { state: "blocked" })]));
    expect(started(decision)).toEqual([`${REPO}#1`]);
    for (const change of changes(decision)) {
      if (change.kind === "task-moved") expect(mayFollow(change.from, change.to)).toBe(true);
    }
  });

  it("blocks a task that cannot be planned, once", () => {
    const invalid = { code: "bad-claim", reason: "/etc is outside the repository" } as const;
    const task = aTask({ spec: aSpec({ invalid }) });
    expect(changes(decide(snapshot([task])))).toMatchObject([
      { kind: "task-moved", from: "waiting", to: "blocked", reason: invalid.reason },
    ]);
    const blocked = { ...task, state: "blocked", reason: invalid.reason } as const;
    expect(decide(snapshot([blocked])).actions).toEqual([]);
    const other = { ...blocked, reason: "something else" };
    expect(changes(decide(snapshot([other])))).toMatchObject([{ kind: "task-explained" }]);
  });

  it("does not block a task at work for an edit that made its issue unusable", () => {
    const invalid = { code: "bad-claim", reason: "no" } as const;
    const task = aTask({ state: "running", spec: aSpec({ invalid }) });
    expect(decide(snapshot([task])).actions).toEqual([]);
  });

  it.each([
    { fact: "landed", starts: true },
    { fact: "open", starts: false },
    { fact: "failed", starts: false },
    { fact: "not-planned", starts: false },
    { fact: undefined, starts: false },
  ] as const)("starts a task whose dependency is $fact: $starts", ({ fact, starts }) => {
    const dependency = taskIdOf(REPO, 9);
    const task = aTask({ spec: aSpec({ dependsOn: [dependency] }) });
    const facts = fact === undefined ? new Map() : new Map([[dependency, fact]]);
    expect(started(decide(snapshot([task], { facts })))).toHaveLength(starts ? 1 : 0);
  });

  it("lets an unblocked task wait when something else keeps it", () => {
    const [holder, task] = [writes(1, "a.ts", { state: "running" }), writes(2, "a.ts")];
    const decision = decide(snapshot([holder, { ...task, state: "blocked" }]));
    expect(changes(decision)).toMatchObject([
      { kind: "task-moved", from: "blocked", to: "waiting" },
    ]);
  });

  it("says nothing again that was said before", () => {
    const tasks = [writes(1, "a.ts", { state: "running" }), writes(2, "a.ts")];
    const [said] = changes(decide(snapshot(tasks)));
    if (said?.kind !== "task-explained") throw new Error("it gives no reason");
    const [holder, task] = tasks;
    const informed = { ...task!, reason: said.reason, wave: said.wave };
    expect(decide(snapshot([holder!, informed])).actions).toEqual([]);
  });

  describe("a task that failed a moment ago", () => {
    const delayed = writes(1, "a.ts", { notBefore: LATER });

    it("starts when its pause is over, and asks to be looked at then", () => {
      expect(decide(snapshot([delayed]))).toMatchObject({ actions: [], again: LATER });
      expect(started(decide(snapshot([delayed], { now: LATER })))).toEqual([delayed.id]);
    });

    it("lets others use its files meanwhile", () => {
      expect(started(decide(snapshot([delayed, writes(2, "a.ts")])))).toEqual([`${REPO}#2`]);
    });

    it("keeps those waiting that depend on it, without blocking them", () => {
      const after = aTask({ issue: 2, spec: aSpec({ dependsOn: [delayed.id] }) });
      const decision = decide(snapshot([delayed, after]));
      expect(started(decision)).toEqual([]);
      expect(changes(decision).map(({ kind }) => kind)).not.toContain("task-moved");
    });

    it("is looked at before one whose pause is longer", () => {
      const longer = writes(2, "b.ts", { notBefore: instant(LATER + 1) });
      expect(decide(snapshot([longer, delayed])).again).toBe(LATER);
    });
  });

  it("wants to be asked again when the next launch is due", () => {
    const limits = { ...snapshot([]).limits, launchDelayMs: 1000 };
    const running = [aRun({ queuedAt: instant(NOW - 400) })];
    const decision = decide(snapshot([writes(1, "a.ts")], { limits, running }));
    expect(started(decision)).toEqual([]);
    expect(decision.again).toBe(NOW + 600);
  });

  it("stays within every limit", () => {
    const tasks = [1, 2, 3, 4, 5].map((issue) => writes(issue, `${issue}.ts`));
    const config = { limits: { parallel: 3 } };
    expect(started(decide(snapshot(tasks, { config })))).toHaveLength(3);
    const limits = { ...snapshot([]).limits, overall: 2 };
    expect(started(decide(snapshot(tasks, { config, limits })))).toHaveLength(2);
  });

  it("numbers the waves of what waits", () => {
    const tasks = [writes(1, "a.ts", { state: "running" }), writes(2, "a.ts"), writes(3, "a.ts")];
    const waves = changes(decide(snapshot(tasks))).flatMap((change) =>
      change.kind === "task-explained" ? [change.wave] : [],
    );
    expect(waves).toEqual([2, 3]);
  });

  it("keeps the number of a wave from the first plan to the last landing", () => {
    const chain = [1, 2, 3].map((issue) => writes(issue, "a.ts"));
    let tasks: readonly Task[] = [...chain, writes(4, "b.ts")];
    const seen: (readonly (number | undefined)[])[] = [];
    for (const landing of [undefined, ...chain]) {
      const left = tasks.map((task) =>
        task.id === landing?.id ? { ...task, state: "landed" as const } : task,
      );
      tasks = left.map((task) => afterChanges(task, changes(decide(snapshot(left)))));
      seen.push(tasks.map(({ wave }) => wave));
    }
    expect(seen).toEqual(Array.from({ length: 4 }, () => [1, 2, 3, 1]));
    const rested = decide(snapshot([...tasks.map(landed), writes(5, "a.ts")]));
    expect(changes(rested).find((change) => change.kind === "task-moved")?.set.wave).toBe(1);
  });

  it("does not count on when tasks that run alone change places", () => {
    const alone = (issue: number, wave: number, priority: "high" | "normal") =>
      aTask({ issue, wave, spec: aSpec({ parallelSafe: false, priority }) });
    const held = writes(9, "z.ts", { state: "running", wave: 1 });
    const flipped = [held, alone(1, 2, "normal"), alone(2, 3, "high")];
    const waves = changes(decide(snapshot(flipped))).flatMap((change) =>
      change.kind === "task-explained" ? [[change.task, change.wave]] : [],
    );
    expect(new Map(waves as [string, number][])).toEqual(
      new Map([
        [`${REPO}#1`, 2],
        [`${REPO}#2`, 3],
      ]),
    );
  });

  it("finishes a wave before the next under schedule: waves", () => {
    const config = { schedule: "waves" };
    const tasks = [writes(1, "a.ts", { state: "running" }), writes(2, "a.ts"), writes(3, "b.ts")];
    const wave = [tasks[0]!.id];
    const decision = decide(snapshot(tasks, { config, wave }));
    expect(started(decision)).toEqual([]);
    expect(decision.wave).toEqual(wave);
  });

  it("takes a claim for a directory where the base has one of that name", () => {
    const tasks = [writes(1, "lib/chart.js"), writes(2, "lib/**/*.md")];
    const apart = snapshot(tasks, { directories: new Set(["lib", "lib/chart.js"]) });
    expect(started(decide(apart))).toEqual([tasks[0]?.id]);
    expect(started(decide(snapshot(tasks)))).toHaveLength(2);
    expect(wordsFor(decide(apart), tasks[1]!)).toContain("lib/chart.js/");
  });

  it("starts first what past runs say takes longest", () => {
    const claims = [{ mode: "write", pattern: "b.ts" }] as const;
    const slow = writes(2, "b.ts", { spec: aSpec({ claims, runner: "slow" }) });
    const tasks = [writes(1, "a.ts"), slow];
    const past = (runner: string, ms: number) => ({
      ...aRun({ runner, startedAt: NOW, finishedAt: instant(NOW + ms) }),
      size: undefined,
    });
    const limits = someLimits({ runners: { agent: aRunner(), slow: aRunner() }, overall: 1 });
    const history = Array.from({ length: 20 }, (_, at) =>
      at % 2 === 0 ? past("agent", 60_000) : past("slow", 3_600_000),
    );
    expect(started(decide(snapshot(tasks, { limits })))).toEqual([tasks[0]?.id]);
    expect(started(decide(snapshot(tasks, { limits, history })))).toEqual([slow.id]);
  });
});
