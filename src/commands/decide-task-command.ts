import type { Card } from "../domain/board.ts";
import type { Change, TaskPatch } from "../domain/change.ts";
import { instant } from "../domain/ids.ts";
import { isObjective } from "../domain/objective.ts";
import type { Task } from "../domain/task.ts";
import { assertNever } from "../shared/assert-never.ts";
import { isHeld } from "../trust/accepted-text.ts";
import { endExploring, stopExploration } from "./decide-explore.ts";
import { done, refused } from "./decision.ts";
import type { CommandDecision, CommandSnapshot } from "./decision.ts";

/** Decides on another attempt, as if the card had been moved to Ready again: nothing that failed before counts. */
export function decideRetry(task: Task, snapshot: CommandSnapshot): CommandDecision {
  switch (task.state) {
    case "failed":
    case "cancelled":
    case "review":
      return again(task, snapshot);
    case "waiting":
      return isHeld(task) ? accept(task, snapshot) : endPause(task, snapshot);
    case "blocked":
      if (isHeld(task)) return accept(task, snapshot);
      return refused(`it is blocked, and a retry would not change that: ${task.reason}`);
    case "running":
      return refused("it is running already; /cancel ends the run");
    case "queued":
      return refused("its pull request is approved and about to land; /cancel takes it out");
    case "landed":
      return refused(
        isObjective(task)
          ? "it was broken into tasks already: change those, or open another issue"
          : "it has landed: open a new issue for what is left to do",
      );
    default:
      return assertNever(task.state);
  }
}

export function decideCancel(task: Task, snapshot: CommandSnapshot): CommandDecision {
  switch (task.state) {
    case "waiting":
    case "blocked":
      return done("it is cancelled; /retry takes it up again", {
        changes: [toCancelled(task, snapshot)],
      });
    case "running":
      return stopExploration(task, snapshot) ?? cancelRuns(task, snapshot);
    case "review":
    case "queued":
      return leaveTrain(task, snapshot);
    case "failed":
      return refused("it has been given up already; nothing of it runs");
    case "cancelled":
      return refused("it is cancelled already");
    case "landed":
      return refused(
        isObjective(task)
          ? "it was broken into tasks already: close those that are not wanted"
          : "it has landed: revert its pull request to take it back",
      );
    default:
      return assertNever(task.state);
  }
}

function again(task: Task, snapshot: CommandSnapshot): CommandDecision {
  const away = isObjective(task) ? unlabelled(snapshot) : awayBecause(snapshot.card);
  const problem = away ?? textProblem(task, snapshot);
  if (problem !== undefined) return refused(problem);
  const pull = task.state === "review" && task.pull !== undefined ? ` on #${task.pull}` : "";
  return done(`it will be tried again${pull}; nothing that failed before counts`, {
    changes: [
      toWaiting(task, snapshot, { readySince: snapshot.now }),
      ...acceptance(task, snapshot),
      ...lift(task, snapshot),
    ],
  });
}

/** Whoever asks for another attempt has put right what was in its way, as far as they know. */
function lift(task: Task, { pausedRunner: runner, by, now: at }: CommandSnapshot): Change[] {
  if (runner === undefined) return [];
  const id = `${task.id}@${at}`;
  return [{ kind: "runner-lifted", lift: { id, repo: task.repo, runner, by, at } }];
}

/** A person who may make it ready says so by this command, too. */
function accept(task: Task, snapshot: CommandSnapshot): CommandDecision {
  const problem = textProblem(task, snapshot);
  if (problem !== undefined) return refused(problem);
  return done("it is accepted as it was when you said so, and will be done", {
    changes: [
      toWaiting(task, snapshot, { readySince: snapshot.now }),
      ...acceptance(task, snapshot),
    ],
  });
}

/** Nobody's words are accepted unseen. */
function textProblem(task: Task, { text }: CommandSnapshot): string | undefined {
  if (text?.kind === "changed") return `${text.reason}; look at it, and say /retry once more`;
  if (text !== undefined || !isHeld(task)) return undefined;
  return "what it says was not accepted by anyone with write access: say /retry in a comment on its issue, or move its card to Ready";
}

function acceptance(task: Task, { text, now: at }: CommandSnapshot): readonly Change[] {
  if (text?.kind !== "accepted" || text.read.accepted === undefined) return [];
  const { spec, specHash, accepted } = text.read;
  const set = {
    acceptedBy: accepted.by,
    acceptedAt: instant(accepted.at),
    acceptedText: accepted.text,
    disregarded: null,
  };
  const vouched = { kind: "task-vouched", task: task.id, set, at } as const;
  if (specHash === task.specHash) return [vouched];
  return [{ kind: "task-respecified", task: task.id, spec, specHash, at }, vouched];
}

function endPause(task: Task, snapshot: CommandSnapshot): CommandDecision {
  const { pausedRunner, now } = snapshot;
  const isPaused = task.notBefore !== undefined && task.notBefore > now;
  if (!isPaused && pausedRunner !== undefined)
    return done(`${pausedRunner} may try again`, { changes: lift(task, snapshot) });
  if (!isPaused) return refused(`it waits for its turn already: ${task.reason}`);
  const problem = textProblem(task, snapshot);
  if (problem !== undefined) return refused(problem);
  const changes = [
    toWaiting(task, snapshot, { readySince: snapshot.now }),
    ...acceptance(task, snapshot),
    ...lift(task, snapshot),
  ];
  return done("its pause is over, it will be tried again now", { changes });
}

function toWaiting(task: Task, { by, now: at }: CommandSnapshot, patch: TaskPatch): Change {
  const moved = { kind: "task-moved", task: task.id, from: task.state, to: "waiting", at } as const;
  const set = { failures: 0, notBefore: null, wave: null, ...patch };
  return { ...moved, reason: `${by} asked for another attempt`, set };
}

/** Only the label of an objective counts, wherever its card is. */
function unlabelled({ labelled }: CommandSnapshot): string | undefined {
  return labelled === false
    ? "it is no objective any more: put the label on again, which starts it as well"
    : undefined;
}

/** A task whose card is elsewhere would be taken back at once. */
function awayBecause(card: Card | undefined): string | undefined {
  if (card === undefined) return "it has no card on the board: add it to Ready";
  if (card.issue.state !== "open") return "its issue is closed: open it again first";
  if (card.role === undefined || card.role === "done")
    return "its card is not in Ready: move it there, which starts it as well";
  return undefined;
}

/** The end of the last one moves the task. */
function cancelRuns(task: Task, snapshot: CommandSnapshot): CommandDecision {
  const { runs, by } = snapshot;
  const changes = endExploring(task, snapshot);
  if (runs.length + changes.length === 0)
    return refused("its run is just ending; ask again in a moment");
  const reason = reasonOf(by);
  return done(`${wordStopped(runs.length)}; /retry takes it up again`, {
    changes,
    effects: runs.map(({ id }) => ({ kind: "cancel-run", run: id, reason })),
  });
}

function wordStopped(runs: number): string {
  if (runs === 0) return "it is cancelled";
  return runs === 1
    ? "its run is being stopped, and what it did is kept"
    : `its ${runs} runs are being stopped, and what they did is kept`;
}

function leaveTrain(task: Task, snapshot: CommandSnapshot): CommandDecision {
  if (snapshot.entry?.state === "landing") return refused("it is landing at this very moment");
  const left = task.pull === undefined ? "" : ` #${task.pull} is left open: close it, or merge it.`;
  return done(`it is cancelled and will not be landed.${left}`, {
    changes: [toCancelled(task, snapshot)],
  });
}

function toCancelled(task: Task, { by, now: at }: CommandSnapshot): Change {
  const moved = { kind: "task-moved", task: task.id, from: task.state, at } as const;
  return { ...moved, to: "cancelled", reason: reasonOf(by), set: {} };
}

function reasonOf(by: string): string {
  return `cancelled by ${by}`;
}
