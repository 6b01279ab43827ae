import { describe, expect, it } from "vitest";
import { decideIntake } from "../../../src/board/issue/decide-intake.ts";
import type { IntakeSnapshot } from "../../../src/board/issue/decide-intake.ts";
import type { Card, ColumnRole } from "../../../src/domain/board.ts";
import { instant, runId } from "../../../src/domain/ids.ts";
import type { Disregarded, ReadCard } from "../../../src/domain/read-card.ts";
import { mayFollow } from "../../../src/domain/task.ts";
import type { Task, TaskState } from "../../../src/domain/task.ts";
import { NOW, REPO, aCard, aSpec, aTask, anIssue } from "../../support/builders.ts";

const EARLIER = instant(NOW - 1000);
const RUN = runId("run-1");

function read(card: Partial<Card> = {}, specHash = "spec-1"): ReadCard {
  return { card: aCard(card), spec: aSpec(), specHash };
}

function snapshot(members: Partial<IntakeSnapshot>): IntakeSnapshot {
  return {
    now: NOW,
    readAt: NOW,
    cards: [],
    tasks: [],
    landedBefore: new Set(),
    activeRuns: new Map(),
    ...members,
  };
}

function known(state: TaskState, members: Partial<Task> = {}): Task {
  return aTask({ state, changedAt: EARLIER, readySince: EARLIER, ...members });
}

describe("decideIntake", () => {
  it("adds a task for a card in Ready, as waiting", () => {
    expect(decideIntake(snapshot({ cards: [read()] }))).toEqual([
      {
        kind: "record",
        changes: [
          {
            kind: "task-added",
            task: aTask({ reason: "moved to Ready", readySince: NOW, changedAt: NOW }),
          },
        ],
      },
    ]);
  });

  it.each<[string, Partial<Card>]>([
    ["in a column of no role", { role: undefined }],
    ["in another column of ours", { role: "review" }],
    ["whose issue was completed", { issue: anIssue({ state: "completed" }) }],
    ["whose issue is not planned", { issue: anIssue({ state: "not-planned" }) }],
  ])("adds no task for a card %s", (_, card) => {
    expect(decideIntake(snapshot({ cards: [read(card)] }))).toEqual([]);
  });

  it("cancels an exploration that is not open, whose first run waits to be tried again", () => {
    const spec = aSpec({ explore: { ideas: { kind: "ask", count: 2 } } });
    const task = known("running", { attempts: 1, spec });
    const cards = [read({ role: undefined })];
    expect(decideIntake(snapshot({ cards, tasks: [task] }))).toMatchObject([
      { changes: [{ kind: "task-moved", from: "running", to: "cancelled" }] },
    ]);
    const activeRuns = new Map([[task.id, [RUN]]]);
    expect(decideIntake(snapshot({ cards, tasks: [task], activeRuns }))).toMatchObject([
      { kind: "cancel-run", run: RUN },
    ]);
  });

  it("adds nothing for a task that landed long ago", () => {
    const task = aTask().id;
    const cards = [read({ movedAt: NOW + 5000 })];
    expect(decideIntake(snapshot({ cards, landedBefore: new Set([task]) }))).toEqual([]);
  });

  it("leaves a task alone that is as the board says", () => {
    expect(decideIntake(snapshot({ cards: [read()], tasks: [known("waiting")] }))).toEqual([]);
  });

  it.each<TaskState>(["waiting", "blocked"])("takes over an edit of a %s task", (state) => {
    const cards = [read({}, "spec-2")];
    expect(decideIntake(snapshot({ cards, tasks: [known(state)] }))).toMatchObject([
      { changes: [{ kind: "task-respecified", task: `${REPO}#1`, specHash: "spec-2" }] },
    ]);
  });

  it.each<TaskState>(["running", "review", "queued", "landed", "failed", "cancelled"])(
    "leaves an edit of a %s task for later",
    (state) => {
      const cards = [read({ movedAt: EARLIER }, "spec-2")];
      expect(decideIntake(snapshot({ cards, tasks: [known(state)] }))).toEqual([]);
    },
  );

  it("takes nothing back while the column that it was in has another name", () => {
    const cards = [read({ role: undefined, movedAt: EARLIER })];
    const activeRuns = new Map([[known("running").id, [RUN]]]);
    const intake = (state: TaskState, renamed: readonly ColumnRole[]) =>
      decideIntake(snapshot({ cards, tasks: [known(state)], activeRuns, renamed }));
    expect(intake("running", ["running"])).toEqual([]);
    expect(intake("waiting", ["ready"])).toEqual([]);
    expect(intake("running", ["ready", "review"])).toHaveLength(1);
    expect(intake("waiting", ["blocked", "running"])).toHaveLength(1);
    const tasks = [known("running")];
    expect(decideIntake(snapshot({ tasks, activeRuns, renamed: ["running"] }))).toHaveLength(1);
  });

  describe.each<[string, readonly ReadCard[]]>([
    ["its card was taken off the board", []],
    ["its issue was closed", [read({ issue: anIssue({ state: "completed" }) })]],
    ["its card was moved away from Ready", [read({ role: undefined })]],
    ["its card was moved away from Ready", [read({ role: "done" })]],
  ])("when %s", (reason, cards) => {
    it.each<TaskState>(["waiting", "blocked"])("cancels a %s task", (from) => {
      expect(decideIntake(snapshot({ cards, tasks: [known(from)] }))).toMatchObject([
        { changes: [{ kind: "task-moved", from, to: "cancelled", reason }] },
      ]);
      expect(mayFollow(from, "cancelled")).toBe(true);
    });

    it("stops the run of a running task; the end of the run moves the task", () => {
      const activeRuns = new Map([[known("running").id, [RUN]]]);
      expect(decideIntake(snapshot({ cards, tasks: [known("running")], activeRuns }))).toEqual([
        { kind: "cancel-run", run: RUN, reason },
      ]);
    });

    it("waits for the store to know the run before it stops it", () => {
      expect(decideIntake(snapshot({ cards, tasks: [known("running")] }))).toEqual([]);
    });

    it.each<TaskState>(["review", "queued", "landed", "failed", "cancelled"])(
      "does nothing to a %s task",
      (state) => {
        expect(decideIntake(snapshot({ cards, tasks: [known(state)] }))).toEqual([]);
      },
    );

    it("does not believe a reading that is older than the task's last move", () => {
      const tasks = [known("waiting", { changedAt: NOW })];
      expect(decideIntake(snapshot({ cards, tasks }))).toEqual([]);
    });
  });

  it.each(["running", "review", "queued", "blocked"] as const)(
    "keeps a waiting task whose card is in the %s column",
    (role) => {
      const tasks = [known("waiting")];
      expect(decideIntake(snapshot({ cards: [read({ role })], tasks }))).toEqual([]);
    },
  );

  describe.each<TaskState>(["failed", "cancelled"])("a %s task", (from) => {
    const task = known(from, { failures: 3, attempts: 3, notBefore: NOW });

    it("waits again after a new move to Ready, with all its attempts and its present words", () => {
      const cards = [read({ id: "new-card" }, "spec-2")];
      expect(decideIntake(snapshot({ cards, tasks: [task] }))).toMatchObject([
        {
          changes: [
            {
              kind: "task-moved",
              from,
              to: "waiting",
              reason: "moved to Ready again",
              set: { failures: 0, notBefore: null, readySince: NOW, cardId: "new-card" },
            },
            { kind: "task-respecified", specHash: "spec-2" },
          ],
        },
      ]);
      expect(mayFollow(from, "waiting")).toBe(true);
    });

    it.each<[string, Partial<Card>]>([
      ["still lies where it was moved the first time", { movedAt: EARLIER }],
      ["is in another column", { role: "blocked" }],
      ["is in Ready with a closed issue", { issue: anIssue({ state: "completed" }) }],
    ])("stays as it is while its card %s", (_, card) => {
      expect(decideIntake(snapshot({ cards: [read(card)], tasks: [task] }))).toEqual([]);
    });
  });
});

describe("decideIntake, with what somebody did without the right to it", () => {
  const accepted = { by: "ann", at: NOW - 5, text: "hash" };
  const away = [read({ role: undefined, movedAt: NOW - 7 })];
  const ignored = { reason: "eve did it", leaving: true, movedAt: NOW - 7 };
  const intake = (task: Task, disregarded: Disregarded, cards: readonly ReadCard[] = away) =>
    decideIntake(
      snapshot({
        cards,
        tasks: [task],
        disregarded: new Map([[task.id, disregarded]]),
        activeRuns: new Map([[task.id, [RUN]]]),
      }),
    );
  const vouched = (set: object) => ({
    kind: "record",
    changes: [{ kind: "task-vouched", task: `${REPO}#1`, set, at: NOW }],
  });

  it.each<TaskState>(["waiting", "blocked", "running"])(
    "a %s task goes on, which is said once, and its card is put back",
    (state) => {
      const set = { disregarded: "eve did it", strayedAt: instant(NOW - 7) };
      expect(intake(known(state), ignored)).toEqual([vouched(set)]);
      expect(intake(known(state, set), ignored)).toEqual([]);
    },
  );

  it("puts a card back once in ten minutes", () => {
    const soon = known("running", { disregarded: "eve did it", strayedAt: instant(NOW - 1000) });
    expect(intake(soon, ignored)).toEqual([]);
    const late = { ...soon, strayedAt: instant(NOW - 10 * 60_000 - 7) };
    expect(intake(late, ignored)).toMatchObject([
      { changes: [{ set: { strayedAt: instant(NOW - 7) } }] },
    ]);
  });

  it("has nothing to put back where there is no card", () => {
    const gone = { ...ignored, movedAt: undefined };
    expect(intake(known("running"), gone, [])).toEqual([vouched({ disregarded: "eve did it" })]);
  });

  it("holds what waits while nobody knows who did it, and lets run what runs", () => {
    const held = { ...ignored, held: { spec: aSpec(), specHash: "held" } };
    expect(intake(known("waiting"), held)).toMatchObject([
      { changes: [{ kind: "task-respecified", specHash: "held" }] },
    ]);
    expect(intake(known("running"), held)).toMatchObject([{ changes: [{ kind: "task-vouched" }] }]);
  });

  it("still takes back a task whose words alone were disregarded", () => {
    const words = { ...ignored, leaving: false };
    expect(intake(known("running"), words)).toMatchObject([{ kind: "cancel-run" }]);
    expect(intake(known("waiting"), words)).toMatchObject([{ changes: [{ to: "cancelled" }] }]);
  });

  it("keeps who stands behind a task, from its first card on", () => {
    const kept = { acceptedBy: "ann", acceptedAt: instant(NOW - 5), acceptedText: "hash" };
    const first = { ...read(), accepted };
    expect(decideIntake(snapshot({ cards: [first] }))).toMatchObject([
      { changes: [{ kind: "task-added", task: kept }] },
    ]);
    const edited = { ...read({}, "spec-2"), accepted };
    expect(decideIntake(snapshot({ cards: [edited], tasks: [known("blocked")] }))).toMatchObject([
      { changes: [{ kind: "task-respecified" }, { kind: "task-vouched", set: kept }] },
    ]);
  });

  it("lets nobody stand behind a task that was asked for again without them", () => {
    const tasks = [known("failed", { acceptedBy: "ann", acceptedAt: EARLIER })];
    expect(decideIntake(snapshot({ cards: [read()], tasks }))).toMatchObject([
      { changes: [{}, {}, { kind: "task-vouched", set: { acceptedBy: null } }] },
    ]);
  });
});
