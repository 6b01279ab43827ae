import type { Change } from "../domain/change.ts";
import type { Train } from "../domain/train.ts";
import { done, refused } from "./decision.ts";
import type { CommandDecision, CommandSnapshot } from "./decision.ts";

/** Trains stop in the batch that puts the command on record: a landing that is about to begin is refused by the store. */
export function decidePause(reason: string, snapshot: CommandSnapshot): CommandDecision {
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

/** The end of a pause is not yet a look at what halted a train meanwhile: that takes another word. */
export function decideResume(snapshot: CommandSnapshot): CommandDecision {
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
  return { verdict: "done", answer: { lines }, changes, effects: [] };
}

/** A red base is verified anew: what failed before does not count. */
function resumed(train: Train, { by, now }: CommandSnapshot): Change {
  const set = { by: null, cause: null, haltedAt: null };
  return moved(train, "running", {
    ...{ reason: `resumed by ${by}`, at: now },
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
