import type { Change } from "../domain/change.ts";
import type { CommandAnswer } from "../domain/given-command.ts";
import { NOT_HALTED } from "../domain/train.ts";
import type { Train } from "../domain/train.ts";
import { assertNever } from "../shared/assert-never.ts";
import { decideExploreGo } from "./decide-explore.ts";
import { decideCancel, decideRetry } from "./decide-task-command.ts";
import { done, refused } from "./decision.ts";
import type { CommandDecision, CommandSnapshot } from "./decision.ts";
import type { PriorityLevel } from "./parse-command.ts";

/** Decides what becomes of a command. Nothing of it is done yet. */
export function decideCommand(snapshot: CommandSnapshot): CommandDecision {
  return snapshot.trusted ? decideTrusted(snapshot) : decideUntrusted(snapshot);
}

/** This is said once on an issue: people who may not give commands cannot make us talk either. */
function decideUntrusted({ told, task }: CommandSnapshot): CommandDecision {
  const silent = told || task === undefined;
  const answer: CommandAnswer = { lines: silent ? [] : [FOR_WRITERS] };
  return { result: "untrusted", answer, changes: [], effects: [] };
}

const FOR_WRITERS =
  "Commands are taken from people with write access to this repository; please ask one of them.";

function decideTrusted(snapshot: CommandSnapshot): CommandDecision {
  const { command } = snapshot;
  switch (command.kind) {
    case "retry":
      return ofTask(snapshot, decideRetry);
    case "cancel":
      return ofTask(snapshot, decideCancel);
    case "explore":
      return ofTask(snapshot, decideExploreGo);
    case "explain":
      return ofTask(snapshot, () => said(snapshot.words ?? { lines: [] }));
    case "plan":
      return said(snapshot.words ?? { lines: [] });
    case "help":
      return said({ lines: HELP });
    case "pause":
      return decidePause(command.reason, snapshot);
    case "resume":
      return decideResume(snapshot);
    case "priority":
      return decidePriority(command.level, snapshot);
    case "malformed":
      return refused(command.problem);
    default:
      return assertNever(command);
  }
}

function ofTask(snapshot: CommandSnapshot, decide: typeof decideRetry): CommandDecision {
  if (snapshot.task !== undefined) return decide(snapshot.task, snapshot);
  return refused(
    snapshot.labelled === true
      ? "nothing runs for this objective: say it on one of its sub-issues, or put the label on again if it has none"
      : "this is no task yet: move its card to Ready first",
  );
}

function said(answer: CommandAnswer): CommandDecision {
  return { result: "done", answer, changes: [], effects: [] };
}

function decidePriority(level: PriorityLevel, snapshot: CommandSnapshot): CommandDecision {
  const { issue, labels, card } = snapshot;
  if (issue === undefined) return refused("name the issue that is meant");
  const wanted = { high: labels.priorityHigh, low: labels.priorityLow, normal: undefined }[level];
  const others = [labels.priorityHigh, labels.priorityLow].filter((name) => name !== wanted);
  const present = card?.issue.labels.map((name) => name.toLowerCase());
  const remove = others.filter((name) => present?.includes(name.toLowerCase()) ?? true);
  const add = wanted === undefined ? [] : [wanted];
  return done(`its priority is ${level} now`, {
    effects: [{ kind: "set-labels", issue, add, remove }],
  });
}

const HELP: readonly string[] = [
  "/explain: why the task is where it is, where the plan has it, and what would change that",
  "/plan: the waves of this repository",
  "/retry: another attempt; nothing that failed before counts",
  "/cancel: stops the task; its pull request stays open, and of an exploration the best so far is taken",
  "/explore go: starts an exploration that is expected to cost much",
  "/priority high, /priority normal, /priority low: sets the label",
  "/pause and a reason, /resume: nothing new starts and nothing lands in this repository meanwhile; /resume also ends a halt of the train",
];

/** Trains stop in the batch that puts the command on record: a landing that is about to begin is refused by the store. */
function decidePause(reason: string, snapshot: CommandSnapshot): CommandDecision {
  const { pause, trains, by, now } = snapshot;
  if (pause !== undefined) return refused(`the repository is paused already, by ${pause.by}`);
  const changes = trains
    .filter(({ state }) => state === "running")
    .map((train) => moved(train, "paused", { reason, at: now, set: { by } }));
  return done(
    "the repository is paused: nothing new starts and nothing lands until someone says /resume; runs under way go on",
    { changes },
  );
}

/** Ending a pause does not mean that anybody looked at why a train halted meanwhile: that takes another /resume. */
function decideResume(snapshot: CommandSnapshot): CommandDecision {
  const { pause, trains } = snapshot;
  const halted = trains.filter(({ state }) => state === "halted");
  if (pause === undefined && halted.length === 0) {
    return refused("the repository is not paused, and its train is not halted");
  }
  const going = pause === undefined ? halted : trains.filter(({ state }) => state === "paused");
  const changes = going.map((train) => resumed(train, snapshot));
  const still = pause === undefined ? [] : halted;
  const lines = [
    "the repository goes on",
    ...still.map(
      ({ base, reason }) =>
        `the train of ${base} is still halted: ${reason}; say /resume once more when that is seen to`,
    ),
  ];
  return { result: "done", answer: { lines }, changes, effects: [] };
}

/** A red base is verified anew: what failed before does not count. */
function resumed(train: Train, { by, now }: CommandSnapshot): Change {
  const set = { ...NOT_HALTED, by: null };
  return moved(train, "running", {
    reason: `resumed by ${by}`,
    at: now,
    set: train.state === "halted" ? { ...set, redsFrom: now } : set,
  });
}

type TrainMoved = Extract<Change, { kind: "train-moved" }>;

function moved(
  { id, state }: Train,
  to: Train["state"],
  { reason, at, set }: Pick<TrainMoved, "reason" | "at" | "set">,
): Change {
  return { kind: "train-moved", train: id, from: state, to, reason, at, set };
}
