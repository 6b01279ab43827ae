import { describe, expect, it } from "vitest";
import { decideCommand } from "../../src/commands/decide-command.ts";
import type { CommandSnapshot } from "../../src/commands/decision.ts";
import { instant, runId } from "../../src/domain/ids.ts";
import type { TaskState } from "../../src/domain/task.ts";
import { newTrain } from "../../src/domain/train.ts";
import type { Train } from "../../src/domain/train.ts";
import { aConfig } from "../support/a-config.ts";
import {
  NOW,
  REPO,
  aCard,
  aRun,
  aSpec,
  aTask,
  anEntry,
  anExploration,
  aPlan,
  anIssue,
} from "../support/builders.ts";

function decide(members: Partial<CommandSnapshot>) {
  return decideCommand({
    now: NOW,
    by: "ann",
    trusted: true,
    issue: 1,
    task: aTask(),
    card: aCard(),
    command: { kind: "retry" },
    runs: [],
    entry: undefined,
    pause: undefined,
    labels: aConfig().labels,
    told: false,
    words: undefined,
    trains: [],
    labelled: undefined,
    ...members,
  });
}

describe("/retry and a runner that is paused", () => {
  const lift = { id: `octo/app#1@${NOW}`, repo: REPO, runner: "agent", by: "ann", at: NOW };
  const lifted = { kind: "runner-lifted", lift };

  it.each<TaskState>(["failed", "review"])("lifts the pause for a task that is %s", (state) => {
    const { result, changes } = decide({ task: aTask({ state }), pausedRunner: "agent" });
    expect([result, changes.at(-1)]).toEqual(["done", lifted]);
    expect(decide({ task: aTask({ state }) }).changes).not.toContainEqual(lifted);
  });

  it("lifts it also for a task that only waits for the runner", () => {
    const waiting = aTask({ state: "waiting" });
    expect(decide({ task: waiting, pausedRunner: "agent" })).toMatchObject({
      result: "done",
      changes: [lifted],
    });
    expect(decide({ task: waiting }).result).toBe("refused");
  });
});

function moves(decision: ReturnType<typeof decide>) {
  return decision.changes.map((change) =>
    change.kind === "task-moved" ? `${change.from} to ${change.to}` : change.kind,
  );
}

describe("/retry", () => {
  it.each<[TaskState, string[]]>([
    ["failed", ["failed to waiting"]],
    ["cancelled", ["cancelled to waiting"]],
    ["review", ["review to waiting"]],
    ["waiting", []],
    ["blocked", []],
    ["running", []],
    ["queued", []],
    ["landed", []],
  ])("of a %s task", (state, expected) => {
    const decision = decide({ task: aTask({ state }) });
    expect(moves(decision)).toEqual(expected);
    expect(decision.result).toBe(expected.length === 0 ? "refused" : "done");
    expect(decision.answer.lines[0]).toMatch(/\w{3}/);
  });

  it("forgets every failure before", () => {
    const task = aTask({ state: "failed", failures: 3, readySince: instant(1) });
    expect(decide({ task }).changes).toMatchObject([
      {
        set: { failures: 0, notBefore: null, readySince: NOW },
        reason: expect.any(String) as string,
      },
    ]);
  });

  it("ends the pause of a task that waits for its next attempt", () => {
    const task = aTask({ state: "waiting", notBefore: instant(NOW + 1) });
    expect(moves(decide({ task }))).toEqual(["waiting to waiting"]);
    expect(moves(decide({ task: aTask({ state: "waiting", notBefore: NOW }) }))).toEqual([]);
  });

  it.each([
    ["without a card", undefined],
    ["with its card elsewhere", aCard({ role: undefined })],
    ["with its card in Done", aCard({ role: "done" })],
    ["with a closed issue", aCard({ issue: anIssue({ state: "completed" }) })],
  ])("is refused %s: it would be taken back at once", (_, card) => {
    expect(decide({ task: aTask({ state: "failed" }), card }).result).toBe("refused");
  });
});

describe("/retry of what nobody accepted", () => {
  const held = aSpec({ invalid: { code: "untrusted", reason: "its text changed, by eve" } });
  const read = { card: aCard(), spec: aSpec({ body: "new" }), specHash: "spec-2" };
  const accepted = { by: "ann", at: 5, text: "hash" };
  const text = { kind: "accepted", read: { ...read, accepted } } as const;
  const set = {
    acceptedBy: "ann",
    acceptedAt: instant(5),
    acceptedText: "hash",
    disregarded: null,
  };

  it.each<TaskState>(["waiting", "blocked", "failed", "cancelled", "review"])(
    "accepts a %s task as it was when that was said",
    (state) => {
      const decision = decide({ task: aTask({ state, spec: held }), text });
      expect(decision).toMatchObject({
        result: "done",
        changes: [
          { kind: "task-moved", from: state, to: "waiting" },
          { kind: "task-respecified", spec: { body: "new" }, specHash: "spec-2" },
          { kind: "task-vouched", set },
        ],
      });
    },
  );

  it("is refused when somebody changed it since, or when it was not said in a comment", () => {
    const changed = { kind: "changed", reason: "its text changed, by eve" } as const;
    for (const state of ["waiting", "blocked", "failed", "review"] as const) {
      const task = aTask({ state, spec: held });
      expect(decide({ task, text: changed })).toMatchObject({
        result: "refused",
        changes: [],
        answer: { lines: [expect.stringContaining("by eve; look at it") as string] },
      });
      expect(decide({ task })).toMatchObject({ result: "refused", changes: [] });
    }
  });

  it("renews the gesture of what was accepted before", () => {
    const same = { ...text, read: { ...text.read, specHash: "spec-1" } };
    const decision = decide({ task: aTask({ state: "failed" }), text: same });
    expect(decision.changes).toMatchObject([{ kind: "task-moved" }, { kind: "task-vouched", set }]);
  });
});

describe("/cancel", () => {
  const command = { kind: "cancel" } as const;

  it.each<TaskState>(["waiting", "blocked", "review", "queued"])("ends a %s task", (state) => {
    expect(moves(decide({ command, task: aTask({ state }) }))).toEqual([`${state} to cancelled`]);
  });

  it.each<TaskState>(["failed", "cancelled", "landed"])("is refused for a %s task", (state) => {
    expect(decide({ command, task: aTask({ state }) }).result).toBe("refused");
  });

  it("stops the run, whose end moves the task", () => {
    const run = aRun();
    const { effects, changes } = decide({
      command,
      task: aTask({ state: "running" }),
      runs: [run],
    });
    expect(effects).toEqual([{ kind: "cancel-run", run: run.id, reason: "cancelled by ann" }]);
    expect(changes).toEqual([]);
  });

  it("stops contenders, also those that wait for a slot", () => {
    const task = aTask({ state: "running", attempts: 1, spec: aSpec({ contenders: 2 }) });
    const ideas = ["1", "2"].map((name) => ({ name, text: "" }));
    const exploration = anExploration({ plan: aPlan({ ideas, depth: 1 }) });
    const stopped = {
      kind: "exploration-moved",
      to: "exploring",
      set: { stop: { why: "cancelled by ann", keep: false } },
    };
    const exploring = { exploration, runs: [] };
    expect(decide({ command, task, exploring })).toMatchObject({
      result: "done",
      changes: [stopped],
      effects: [],
    });
    const run = aRun({ contender: 1 });
    expect(decide({ command, task, exploring, runs: [run] })).toMatchObject({
      changes: [stopped],
      effects: [{ kind: "cancel-run", run: run.id }],
    });
  });

  it("ends an exploration that nothing is open of and nothing works on", () => {
    const spec = aSpec({ explore: { ideas: { kind: "ask", count: 2 } } });
    const task = aTask({ state: "running", attempts: 2, spec });
    const earlier = { exploration: anExploration({ attempt: 1, state: "ended" }), runs: [] };
    for (const exploring of [undefined, earlier])
      expect(moves(decide({ command, task, exploring }))).toEqual(["running to cancelled"]);
  });

  it("stops every contender", () => {
    const runs = ["one", "two"].map((id) => aRun({ id: runId(id) }));
    const { effects, answer } = decide({ command, task: aTask({ state: "running" }), runs });
    expect(effects).toMatchObject([{ run: "one" }, { run: "two" }]);
    expect(answer.lines[0]).toContain("its 2 runs are being stopped");
  });

  it("is refused while the last run is just ending", () => {
    expect(decide({ command, task: aTask({ state: "running" }) }).result).toBe("refused");
  });

  it("comes too late for a landing", () => {
    const task = aTask({ state: "queued" });
    expect(decide({ command, task, entry: anEntry({ state: "landing" }) }).result).toBe("refused");
    expect(decide({ command, task, entry: anEntry({ state: "verified" }) }).result).toBe("done");
  });
});

describe("/pause and /resume", () => {
  const train = newTrain(REPO, "main", NOW);
  const halted: Train = { ...train, state: "halted", cause: "integrity-breach", reason: "breach" };
  const pause = { by: "bob", reason: "", since: NOW };
  const resume = { kind: "resume" } as const;

  it("stop a train that runs with the word itself, and leave one that is halted as it is", () => {
    const command = { kind: "pause", reason: "release" } as const;
    const paused = { from: "running", to: "paused", reason: "release", set: { by: "ann" } };
    expect(decide({ command, trains: [train] }).changes).toMatchObject([paused]);
    expect(decide({ command, trains: [halted] }).changes).toEqual([]);
  });

  it("start a paused train again", () => {
    const trains = [{ ...train, state: "paused" as const }];
    const moved = { from: "paused", to: "running", reason: "resumed by ann" };
    expect(decide({ command: resume, pause, trains }).changes).toMatchObject([moved]);
  });

  it("end a halt by a word of its own, not by the one that ends a pause", () => {
    const first = decide({ command: resume, pause, trains: [halted] });
    expect(first).toMatchObject({ result: "done", changes: [] });
    expect(first.answer.lines[1]).toBe(
      "the train of main is still halted: breach; say /resume once more when that is seen to",
    );
    const second = decide({ command: resume, trains: [halted] });
    expect(second.changes).toMatchObject([
      { from: "halted", to: "running", set: { cause: null, redsFrom: NOW } },
    ]);
  });
});

describe("the others", () => {
  const pause = { by: "bob", reason: "", since: NOW };

  it("pause what runs and resume what is paused", () => {
    const command = { kind: "pause", reason: "" } as const;
    expect(decide({ command }).result).toBe("done");
    expect(decide({ command, pause }).result).toBe("refused");
    expect(decide({ command: { kind: "resume" }, pause }).result).toBe("done");
    expect(decide({ command: { kind: "resume" } }).result).toBe("refused");
  });

  it("set one label and take away only what is there", () => {
    const card = aCard({ issue: anIssue({ labels: ["Priority:Low"] }) });
    const command = { kind: "priority", level: "high" } as const;
    expect(decide({ command, card }).effects).toEqual([
      { kind: "set-labels", issue: 1, add: ["priority:high"], remove: ["priority:low"] },
    ]);
    const normal = { kind: "priority", level: "normal" } as const;
    expect(decide({ command: normal, card: aCard() }).effects).toMatchObject([
      { add: [], remove: [] },
    ]);
  });

  it.each(["retry", "cancel", "explain"] as const)("/%s needs a task", (kind) => {
    expect(decide({ command: { kind }, task: undefined }).result).toBe("refused");
  });
});

describe("someone without write access", () => {
  it.each([
    { kind: "retry" },
    { kind: "cancel" },
    { kind: "pause", reason: "" },
    { kind: "resume" },
    { kind: "priority", level: "high" },
    { kind: "plan" },
  ] as const)("gets nothing done by $kind", (command) => {
    const task = aTask({ state: "failed" });
    const decision = decide({ command, task, trusted: false });
    expect(decision).toMatchObject({ result: "untrusted", changes: [], effects: [] });
  });

  it("is told why once for each task, and never elsewhere", () => {
    expect(decide({ trusted: false }).answer.lines.length).toBe(1);
    expect(decide({ trusted: false, told: true }).answer.lines).toEqual([]);
    expect(decide({ trusted: false, task: undefined }).answer.lines).toEqual([]);
  });
});

describe("on an objective", () => {
  const spec = { ...aTask().spec, kind: "objective" as const };
  const said = (command: "retry" | "cancel", members: Partial<CommandSnapshot>) =>
    decide({ command: { kind: command }, card: undefined, ...members });

  it.each<TaskState>(["failed", "cancelled"])("/retry of one that %s needs no card", (state) => {
    const task = aTask({ state, spec });
    expect(moves(said("retry", { task, labelled: true }))).toEqual([`${state} to waiting`]);
    expect(moves(said("retry", { task }))).toEqual([`${state} to waiting`]);
    expect(said("retry", { task, labelled: false }).answer.lines[0]).toContain("put the label on");
  });

  it("/cancel stops it while it waits, and neither undoes its tasks", () => {
    expect(moves(said("cancel", { task: aTask({ state: "waiting", spec }) }))).toEqual([
      "waiting to cancelled",
    ]);
    const task = aTask({ state: "landed", spec });
    for (const command of ["retry", "cancel"] as const) {
      const { result, answer } = said(command, { task, labelled: true });
      expect([result, answer.lines[0]]).toEqual([
        "refused",
        expect.stringContaining("broken into tasks already"),
      ]);
    }
  });

  it("that people broke up, points at the sub-issues", () => {
    const { answer } = said("retry", { task: undefined, labelled: true });
    expect(answer.lines[0]).toContain("one of its sub-issues");
  });
});
