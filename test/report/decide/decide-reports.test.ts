import { describe, expect, it } from "vitest";
import { instant, runId, taskId } from "../../../src/domain/ids.ts";
import type { Exploring, TaskStory } from "../../../src/domain/story/task-story.ts";
import {
  checkedCommit,
  commentDueAt,
  exploreStep,
  storyVersion,
} from "../../../src/report/decide/decide-reports.ts";
import { NOW, SUCCEEDED, aRun, aSpec, aTask } from "../../support/builders.ts";
import { aContest, aSearch, anEndedSearch, scored, tried } from "../explorations.ts";

const PUSHED = aRun({ state: "finished", outcome: SUCCEEDED });
const FAILED = aRun({
  id: runId("2"),
  state: "finished",
  outcome: { kind: "no-changes", notes: "" },
});
const OTHER = aRun({
  id: runId("3"),
  task: taskId("octo/app#99"),
  state: "finished",
  outcome: SUCCEEDED,
});
const RUNS = [PUSHED, FAILED, OTHER];

const PUSHED_HEAD = "head" in SUCCEEDED ? SUCCEEDED.head : "";

const storyOf = (members: Parameters<typeof aTask>[0]) => ({
  task: aTask(members),
  run: FAILED,
  entry: undefined,
});

describe("checkedCommit", () => {
  it("is what was pushed last to a pull request on which nobody works any more", () => {
    const story = storyOf({ state: "failed", pull: 11 });
    expect(checkedCommit(story, RUNS)).toMatchObject({ story, head: PUSHED_HEAD });
  });

  it.each([{ state: "failed" as const }, { state: "running" as const, pull: 11 }])(
    "is none for a task that is %o",
    (members) => {
      expect(checkedCommit(storyOf(members), RUNS)).toBeUndefined();
    },
  );
});

const MINUTE_MS = 60_000;
const EXPLORES = aSpec({ explore: { ideas: { kind: "ask", count: 3 } } });
const CONTENDS = aSpec({ contenders: 3 });

function exploringStory(
  exploring: Exploring | undefined,
  members: Parameters<typeof aTask>[0] = {},
): TaskStory {
  const task = aTask({ state: "running", attempts: 1, spec: EXPLORES, ...members });
  return { task, run: exploring?.runs.at(-1), entry: undefined, exploring };
}

function dueAt(story: TaskStory, isStepSaid: boolean): number {
  const saidAt = instant(NOW + 5 * MINUTE_MS);
  return commentDueAt(story, { saidAt, isStepSaid, waitingAfterMs: 10 * MINUTE_MS }) - NOW;
}

describe("the comment on an exploration", () => {
  it("is due at once when a level is opened, and once a minute while evaluations end", () => {
    const changedAt = instant(NOW + 6 * MINUTE_MS);
    const story = exploringStory(aSearch({ changedAt }));
    expect(dueAt(story, false)).toBe(6 * MINUTE_MS);
    expect(dueAt(story, true)).toBe(6 * MINUTE_MS);
    expect(exploreStep(story)).not.toBe(exploreStep(exploringStory(aSearch())));
  });

  it.each(["review", "waiting", "failed", "queued"] as const)(
    "is due at once when it is over and its task is %s, and then as ever",
    (state) => {
      const over = anEndedSearch({ changedAt: instant(NOW + 6 * MINUTE_MS) });
      const story = exploringStory(over, { state });
      expect(dueAt(story, false)).toBe(6 * MINUTE_MS);
      expect(dueAt(story, true)).toBe(state === "failed" ? 0 : 15 * MINUTE_MS);
    },
  );

  it("is due as that of a run until it is opened, whatever was tried in an earlier attempt", () => {
    for (const before of [undefined, anEndedSearch()]) {
      const story = exploringStory(before, { attempts: 2 });
      expect(exploreStep(story)).toBe("");
      expect(dueAt(story, false)).toBe(0);
    }
  });

  it("has news when a run of it begins or ends", () => {
    const { exploration, runs } = aSearch();
    const versionOf = (own: Exploring["runs"]): string =>
      storyVersion(exploringStory({ exploration, runs: own }));
    const begun = versionOf([...runs, tried(7)]);
    const ended = versionOf([...runs, tried(7, scored(3))]);
    expect(new Set([versionOf(runs), begun, ended]).size).toBe(3);
  });
});

describe("the comment on several contenders", () => {
  it("has no news while they run, and is no step of an exploration", () => {
    const { exploration, runs } = aContest();
    const storyWith = (own: Exploring["runs"]): TaskStory =>
      exploringStory({ exploration, runs: own }, { spec: CONTENDS });
    const ended = storyWith([...runs.slice(0, 2), tried(3, scored(9))]);
    expect(storyVersion(ended)).toBe(storyVersion(storyWith(runs)));
    expect(exploreStep(ended)).toBe("");
    expect(dueAt(ended, false)).toBe(0);
  });
});
