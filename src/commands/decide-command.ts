import type { CommandAnswer } from "../domain/given-command.ts";
import { assertNever } from "../shared/assert-never.ts";
import { decideCancel } from "./decide-cancel.ts";
import { decidePause, decideResume } from "./decide-pause.ts";
import { decideRetry } from "./decide-retry.ts";
import { done, refused } from "./decision.ts";
import type { CommandDecision, CommandSnapshot } from "./decision.ts";
import type { PriorityLevel } from "./parse-command.ts";

/** What becomes of a command. Nothing of it is done yet. */
export function decideCommand(snapshot: CommandSnapshot): CommandDecision {
  return snapshot.trusted ? decideTrusted(snapshot) : decideUntrusted(snapshot);
}

/** Said once on an issue: whoever may not give commands cannot make us talk either. */
function decideUntrusted({ told, task }: CommandSnapshot): CommandDecision {
  const silent = told || task === undefined;
  const answer: CommandAnswer = { lines: silent ? [] : [FOR_WRITERS] };
  return { verdict: "untrusted", answer, changes: [], effects: [] };
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
    case "misspoken":
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
  return { verdict: "done", answer, changes: [], effects: [] };
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
  "/cancel: stops the task; its pull request stays open",
  "/priority high, /priority normal, /priority low: sets the label",
  "/pause and a reason, /resume: nothing new starts and nothing lands in this repository meanwhile; /resume also ends a halt of the train",
];
