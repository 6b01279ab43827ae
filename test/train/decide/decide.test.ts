import { describe, expect, it } from "vitest";
import type { PullRequest } from "../../../src/domain/board.ts";
import { entryMayFollow } from "../../../src/domain/entry.ts";
import type { EntryState } from "../../../src/domain/entry.ts";
import { entryId, instant, sha, taskIdOf } from "../../../src/domain/ids.ts";
import { mayFollow } from "../../../src/domain/task.ts";
import type { TaskState } from "../../../src/domain/task.ts";
import { newTrain } from "../../../src/domain/train.ts";
import { decide } from "../../../src/train/decide/decide.ts";
import type { TrainAction } from "../../../src/train/queue/action.ts";
import type { TrainSnapshot } from "../../../src/train/queue/snapshot.ts";
import {
  NOW,
  REPO,
  aCandidate,
  aPull,
  aReading,
  aRun,
  shaOf,
  someEvidence,
} from "../../support/builders.ts";
import {
  EARLIER,
  FINISHED_RUN,
  aPolicy,
  aSnapshot,
  inBatch,
  inTrain,
  reviewed,
} from "../snapshot.ts";

const QUEUED = reviewed({ state: "queued" });

function actionsFor(members: Partial<TrainSnapshot>): readonly TrainAction[] {
  const { actions } = decide(aSnapshot(members));
  for (const action of actions) {
    if (action.kind !== "record") continue;
    for (const change of action.changes) {
      if (change.kind === "task-moved") expect(mayFollow(change.from, change.to)).toBe(true);
      if (change.kind === "entry-moved") expect(entryMayFollow(change.from, change.to)).toBe(true);
    }
  }
  return actions;
}

/** The pull requests of the reading, with the task of #11 in review. */
function underReview(pull: Partial<PullRequest>, members: Partial<TrainSnapshot> = {}) {
  const reading = aReading({ pulls: [aPull(pull)] });
  return actionsFor({ reading, tasks: [reviewed()], ...members });
}

/** The same with the task in the train. */
function underWay(state: EntryState, pull: Partial<PullRequest> = {}, changedAt = EARLIER) {
  const reading = aReading({ pulls: [aPull(pull)] });
  const entries = state === "queued" ? [inTrain({ changedAt })] : [inBatch({ state, changedAt })];
  return actionsFor({ reading, entries, tasks: [QUEUED], runs: [FINISHED_RUN] });
}

describe("entering the train", () => {
  it("pins the approved head and remembers who approved it", () => {
    expect(underReview({ approvedBy: ["ada", "bob"] })).toMatchObject([
      {
        kind: "record",
        changes: [
          {
            kind: "entry-added",
            entry: {
              task: `${REPO}#1`,
              pull: 11,
              base: "main",
              state: "queued",
              head: shaOf(7),
              approvedBy: ["ada", "bob"],
              enqueuedAt: NOW,
            },
          },
          { kind: "task-moved", from: "review", to: "queued", reason: "approved by ada, bob" },
        ],
      },
    ]);
  });

  it.each<[string, Partial<PullRequest>]>([
    ["nobody approved", { review: "none", approvedBy: [], approvedHead: undefined }],
    ["was approved at an older head", { approvedHead: shaOf(6) }],
    ["is a draft", { draft: true }],
  ])("is closed to a pull request that %s", (_, pull) => {
    expect(underReview(pull)).toEqual([]);
  });

  it("is closed to a pull request that targets another branch, and says so once", () => {
    const reason = "#11 targets release, not main";
    expect(underReview({ base: "release" })).toMatchObject([
      { changes: [{ kind: "task-explained", reason }] },
    ]);
    const tasks = [reviewed({ reason })];
    expect(underReview({ base: "release" }, { tasks })).toEqual([]);
  });

  it("is closed to a pull request that only bots approved, and says what would count", () => {
    const bots = { approvedBy: [], approvedByBots: ["robot"] };
    const reason = "#11 has 0 of 1 approvals; a bot's counts only if train.approvingBots names it";
    expect(underReview(bots)).toMatchObject([{ changes: [{ kind: "task-explained", reason }] }]);
  });

  it("says once that changes are requested", () => {
    const asked = underReview({ review: "changes-requested" });
    const reason = "changes are requested on #11";
    expect(asked).toMatchObject([{ changes: [{ kind: "task-explained", reason }] }]);
    const tasks = [reviewed({ reason })];
    expect(underReview({ review: "changes-requested" }, { tasks })).toEqual([]);
  });

  it("says that the reviewer has to look again, once a run has answered", () => {
    const rework = { kind: "review", answers: ["R_1"], feedback: [] } as const;
    const outcome = {
      kind: "succeeded",
      head: sha(aPull().head),
      files: [],
      outside: [],
      notes: "",
    } as const;
    const runs = [aRun({ task: reviewed().id, state: "finished", rework, outcome })];
    const reason = "#11 waits for another review: the changes that were requested are made";
    expect(underReview({ review: "changes-requested" }, { runs })).toMatchObject([
      { changes: [{ kind: "task-explained", reason }] },
    ]);
    const tasks = [reviewed({ rework: { ...rework, seenAt: NOW } })];
    expect(underReview({ review: "changes-requested" }, { runs, tasks })).toMatchObject([
      { changes: [{ kind: "task-explained", reason: "changes are requested on #11" }] },
    ]);
  });

  it("leaves it to who waits with an answer to say until when", () => {
    const tasks = [reviewed({ reason: "a run starts soon", notBefore: instant(NOW + 1) })];
    expect(underReview({ review: "changes-requested" }, { tasks })).toEqual([]);
  });

  it("is closed, with the reason, when nothing would verify the change", () => {
    const [action] = underReview({}, { policy: aPolicy({ verifiable: false }) });
    expect(action).toMatchObject({ changes: [{ kind: "task-explained" }] });
    const change = action?.kind === "record" ? action.changes[0] : undefined;
    const reason = change?.kind === "task-explained" ? change.reason : "";
    expect(reason).toContain("nothing verifies it");
    const tasks = [reviewed({ reason })];
    expect(underReview({}, { policy: aPolicy({ verifiable: false }), tasks })).toEqual([]);
  });

  it.each<TaskState>(["waiting", "blocked", "running", "landed", "failed", "cancelled"])(
    "is closed to the pull request of a %s task",
    (state) => {
      expect(underReview({}, { tasks: [reviewed({ state })] })).toEqual([]);
    },
  );

  it("happens once: an open entry of the task keeps a second one out", () => {
    const entries = [inBatch({ state: "landing" })];
    const kinds = underReview({}, { entries }).map(({ kind }) => kind);
    expect(kinds).not.toContain("record");
  });

  describe("on a reading from before the run ended", () => {
    const tasks = [reviewed({ changedAt: NOW })];

    it("is open to the very commit that the run pushed", () => {
      expect(underReview({}, { tasks, runs: [FINISHED_RUN] })).toHaveLength(1);
    });

    it("is closed to a head that the run has replaced", () => {
      const old = { head: shaOf(6), approvedHead: shaOf(6) };
      expect(underReview(old, { tasks, runs: [FINISHED_RUN] })).toEqual([]);
    });

    it("is closed when the run did not succeed", () => {
      const outcome = { kind: "lost", reason: "" } as const;
      const runs = [aRun({ state: "finished", outcome })];
      expect(underReview({}, { tasks, runs })).toEqual([]);
    });

    it("is open where the store has lost every run: none of them is at work", () => {
      expect(underReview({}, { tasks, runs: [] })).toHaveLength(1);
    });
  });
});

describe("leaving the train", () => {
  it.each<[string, Partial<PullRequest>]>([
    ["has new commits", { head: shaOf(8), approvedHead: shaOf(8) }],
    ["was made a draft", { draft: true }],
    ["no longer targets", { base: "release" }],
    ["was withdrawn", { review: "changes-requested", approvedBy: [] }],
    ["was withdrawn", { review: "none", approvedBy: [] }],
  ])("happens when the pull request %s", (words, pull) => {
    for (const state of ["queued", "verifying", "verified"] as const) {
      const [action, ...rest] = underWay(state, pull);
      const { commit } = aCandidate();
      const stop = { kind: "stop-verification", commit };
      expect(rest).toEqual(state === "verifying" ? [stop] : []);
      expect(action).toMatchObject({
        kind: "record",
        changes: [
          { kind: "entry-moved", from: state, to: "superseded" },
          { kind: "task-moved", from: "queued", to: "review" },
        ],
      });
      expect(JSON.stringify(action)).toContain(words);
    }
  });

  it("happens when the base branch is another one now", () => {
    const entries = [inTrain({ base: "old" })];
    const reading = aReading({ pulls: [aPull()] });
    const reason = "the base branch is main now";
    expect(actionsFor({ reading, entries, tasks: [QUEUED] })).toMatchObject([
      {
        changes: [
          { to: "superseded", reason },
          { to: "review", reason },
        ],
      },
    ]);
  });

  it("does not let a breach be forgotten when the base branch has another name", () => {
    const old = newTrain(REPO, "old", EARLIER);
    const trains = [
      { ...old, state: "halted", cause: "integrity-breach", reason: "breach" } as const,
    ];
    const actions = decide(
      aSnapshot({
        tasks: [QUEUED],
        entries: [inTrain()],
        reading: aReading({ pulls: [aPull()] }),
        train: undefined,
        trains,
      }),
    ).actions;
    expect(actions).toMatchObject([
      { changes: [{ kind: "train-added", train: { base: "main", state: "halted" } }] },
    ]);
  });

  it("is too late for an entry that is landing: GitHub decides", () => {
    expect(underWay("landing", { draft: true })).toMatchObject([{ kind: "resolve-landing" }]);
  });

  it.each<[string, Partial<TrainSnapshot>]>([
    ["is unknown", { tasks: [] }],
    ["is at another run", { tasks: [reviewed({ state: "running" })] }],
    ["was cancelled", { tasks: [reviewed({ state: "cancelled" })] }],
  ])("happens to an entry whose task %s, so that it cannot hold up the rest", (_, members) => {
    const entries = [inBatch({ state: "verifying" })];
    expect(actionsFor({ ...members, entries })).toMatchObject([
      { kind: "record", changes: [{ kind: "entry-moved", to: "superseded" }] },
      { kind: "stop-verification" },
    ]);
  });
});

describe("the train", () => {
  const second = reviewed({ issue: 2, state: "queued", pull: 12 });
  const both = {
    tasks: [QUEUED, second],
    reading: aReading({ pulls: [aPull(), aPull({ number: 12 })] }),
  };
  const waitsBehind = inTrain({ id: entryId("entry-2"), task: second.id, pull: 12 });

  it("builds what is approved on top of the base", () => {
    expect(underWay("queued")).toMatchObject([
      { kind: "build", entries: [{ id: "entry-1" }], onto: shaOf(1), first: true },
    ]);
  });

  it("verifies again what it was verifying when the app stopped", () => {
    expect(underWay("verifying")).toMatchObject([{ kind: "verify", batch: { id: "batch-1" } }]);
  });

  it.each<EntryState>(["verifying", "verified", "landing"])(
    "touches no other entry while one is %s",
    (state) => {
      const first = inBatch({ state, enqueuedAt: NOW, changedAt: EARLIER });
      const actions = actionsFor({ ...both, entries: [waitsBehind, first] });
      expect(actions).toHaveLength(1);
      expect(actions[0]).toMatchObject({ batch: { entries: [{ id: "entry-1" }] } });
    },
  );

  it.each([
    { first: EARLIER, other: instant(EARLIER + 1), next: "entry-1" },
    { first: instant(EARLIER + 1), other: EARLIER, next: "entry-2" },
    { first: EARLIER, other: EARLIER, next: "entry-1" },
  ])("takes the one that was approved first: $next", ({ first, other, next }) => {
    const entries = [
      { ...waitsBehind, enqueuedAt: other, changedAt: other },
      inTrain({ enqueuedAt: first, changedAt: first }),
    ];
    const built = actionsFor({ ...both, entries }).find(({ kind }) => kind === "build");
    expect(built).toMatchObject({ entries: [{ id: next }] });
  });

  it("goes on with the next when the first one is dropped", () => {
    const reading = aReading({ pulls: [aPull({ draft: true }), aPull({ number: 12 })] });
    const entries = [inTrain(), { ...waitsBehind, enqueuedAt: NOW, changedAt: NOW }];
    const actions = actionsFor({ ...both, reading, entries });
    expect(actions.at(-1)).toMatchObject({ kind: "build", entries: [{ id: "entry-2" }] });
  });

  it.each([
    { read: "before", readAt: NOW, kind: "read-again" },
    { read: "at the moment", readAt: NOW + 1, kind: "read-again" },
    { read: "after", readAt: NOW + 2, kind: "land" },
  ])("lands what is verified on a reading from $read it: $kind", ({ readAt, kind }) => {
    const reading = aReading({ pulls: [aPull()], readAt });
    const entries = [inBatch({ state: "verified", changedAt: instant(NOW + 1) })];
    expect(actionsFor({ reading, entries, tasks: [QUEUED] })).toMatchObject([{ kind }]);
  });

  it.each([
    ["none", undefined],
    ["that is red", someEvidence({ verdict: "red" })],
    ["for another commit", someEvidence({ candidate: aCandidate({ commit: shaOf(9) }) })],
  ])("does not land on evidence: %s", (_, evidence) => {
    const reading = aReading({ pulls: [aPull()] });
    const entries = [inBatch({ state: "verified", evidence })];
    expect(actionsFor({ reading, entries, tasks: [QUEUED] })).toEqual([]);
  });

  it("finds out what became of a landing that was cut off", () => {
    expect(underWay("landing")).toMatchObject([
      { kind: "resolve-landing", batch: { id: "batch-1" } },
    ]);
  });

  it("does nothing for entries that have ended", () => {
    const entries = (["landed", "rejected", "superseded"] as const).map((state) =>
      inTrain({ state }),
    );
    expect(actionsFor({ entries })).toEqual([]);
  });
});

describe("a pull request that is not in the reading", () => {
  it.each(["review", "queued"] as const)("is looked up for a %s task", (state) => {
    expect(actionsFor({ tasks: [reviewed({ state })] })).toMatchObject([
      { kind: "look-up-pull", task: { id: `${REPO}#1` }, entry: undefined },
    ]);
  });

  it("is looked up together with its entry", () => {
    const actions = actionsFor({ tasks: [QUEUED], entries: [inBatch({ state: "verifying" })] });
    expect(actions[0]).toMatchObject({ kind: "look-up-pull", entry: { id: "entry-1" } });
  });

  it("is not missed when the reading is older than the pull request", () => {
    expect(actionsFor({ tasks: [reviewed({ changedAt: NOW })] })).toEqual([]);
  });

  it("is left to the landing that is under way", () => {
    const actions = actionsFor({ tasks: [QUEUED], entries: [inBatch({ state: "landing" })] });
    expect(actions).toMatchObject([{ kind: "resolve-landing" }]);
  });

  it.each<TaskState>(["waiting", "running", "landed", "failed", "cancelled"])(
    "is nobody's concern for a %s task",
    (state) => {
      expect(actionsFor({ tasks: [reviewed({ state })] })).toEqual([]);
    },
  );
});

describe("a change that others may land with", () => {
  const reading = aReading({ pulls: [aPull(), aPull({ number: 12 })] });
  const fresh = inTrain({ enqueuedAt: instant(NOW - 1000) });
  const second = reviewed({ issue: 2, state: "queued", pull: 12 });
  const short = { reading, tasks: [QUEUED], entries: [fresh], landDelayMs: 2000 };

  it("waits for others to land with, and asks to be looked at when it has waited for long enough", () => {
    const snapshot = aSnapshot(short);
    expect(decide(snapshot)).toEqual({ actions: [], again: NOW + 1000 });
    const later = decide({ ...snapshot, now: instant(NOW + 1000) });
    expect([later.actions.map(({ kind }) => kind), later.again]).toEqual([["build"], undefined]);
  });

  it("goes on when there is room again, and asks to be looked at then", () => {
    expect(decide(aSnapshot({ ...short, landDelayMs: 300 })).again).toBe(NOW + 300);
    expect(actionsFor({ ...short, landDelayMs: 0 })).toMatchObject([{ kind: "build" }]);
  });

  it("waits for a change whose agent is done, also when there is room", () => {
    const arriving = aRun({ task: second.id, state: "running", agentEndedAt: NOW });
    const roomy = { ...short, landDelayMs: 0 };
    const waiting = decide(aSnapshot({ ...roomy, runs: [arriving] }));
    expect(waiting).toEqual({ actions: [], again: NOW + 1000 });
    const atWork = aRun({ task: second.id, state: "running" });
    expect(actionsFor({ ...roomy, runs: [atWork] })).toMatchObject([{ kind: "build" }]);
  });

  it("waits for nobody when as many as may land together are there", () => {
    const behind = inTrain({ id: entryId("entry-2"), task: second.id, pull: 12 });
    const full = {
      entries: [fresh, behind],
      tasks: [QUEUED, second],
      policy: aPolicy({ batch: 1 }),
    };
    expect(actionsFor({ ...short, ...full })).toMatchObject([{ kind: "build" }]);
  });
});

describe("a change that could not be tried", () => {
  const returned = inTrain({ changedAt: NOW, notBefore: instant(NOW + 1000) });
  const reading = aReading({ pulls: [aPull(), aPull({ number: 12 })] });

  it("pauses before it is verified again, and asks to be looked at then", () => {
    const snapshot = aSnapshot({ reading, entries: [returned], tasks: [QUEUED] });
    expect(decide(snapshot)).toEqual({ actions: [], again: NOW + 1000 });
    const later = decide({ ...snapshot, now: instant(NOW + 1000) });
    expect(later.actions.map(({ kind }) => kind)).toEqual(["build"]);
    expect(later.again).toBeUndefined();
  });

  it("lets the next one pass meanwhile", () => {
    const second = reviewed({ issue: 2, state: "queued", pull: 12 });
    const behind = inTrain({ id: entryId("entry-2"), task: second.id, pull: 12 });
    const entries = [returned, { ...behind, enqueuedAt: NOW, changedAt: NOW }];
    const actions = actionsFor({ reading, entries, tasks: [QUEUED, second] });
    expect(actions.at(-1)).toMatchObject({ kind: "build", entries: [{ id: "entry-2" }] });
  });
});

describe("a merge that GitHub refused", () => {
  const refusals = (count: number) =>
    Array.from({ length: count }, (_, at) =>
      inTrain({ id: entryId(`entry-${at}`), state: "rejected", changedAt: NOW }),
    );
  const snapshot = (count: number, members: Partial<TrainSnapshot> = {}) =>
    aSnapshot({
      reading: aReading({ pulls: [aPull()] }),
      tasks: [reviewed()],
      entries: refusals(count),
      ...members,
    });

  it.each([
    { count: 1, pause: 1000 },
    { count: 2, pause: 2000 },
    { count: 3, pause: 4000 },
    { count: 2000, pause: 5000 },
  ])("is tried again $pause ms after refusal $count", ({ count, pause }) => {
    expect(decide(snapshot(count))).toEqual({ actions: [], again: NOW + pause });
    const later = decide(snapshot(count, { now: instant(NOW + pause) }));
    expect(later.actions).toMatchObject([{ changes: [{ kind: "entry-added" }, {}] }]);
  });

  it("does not make a new head wait", () => {
    const newHead = aPull({ head: shaOf(8), approvedHead: shaOf(8) });
    const { actions, again } = decide(snapshot(3, { reading: aReading({ pulls: [newHead] }) }));
    expect(actions).toMatchObject([{ changes: [{ entry: { head: shaOf(8) } }, {}] }]);
    expect(again).toBeUndefined();
  });

  it("does not make another task's pull request wait", () => {
    const other = reviewed({ issue: 2, pull: 12 });
    const reading = aReading({ pulls: [aPull({ number: 12 })] });
    const { actions } = decide(snapshot(1, { tasks: [other], reading }));
    expect(actions).toMatchObject([
      { changes: [{ entry: { task: taskIdOf(REPO, 2) } }, { to: "queued" }] },
    ]);
  });
});
