import type { Change } from "../domain/change.ts";
import type { Entry } from "../domain/entry.ts";
import type { Instant, Sha } from "../domain/ids.ts";
import type { Task } from "../domain/task.ts";

interface Landing {
  readonly entry: Entry;
  readonly task: Task;
}

interface LandedCommit {
  readonly commit: Sha;
  readonly tree: Sha;
  readonly parent: Sha | undefined;
  readonly now: Instant;
}

/** What is written when the change was seen on the base branch; `breach` when it is not the tree that was verified. */
export function decideLanded(
  { entry, task }: Landing,
  { commit, tree, parent, now: at }: LandedCommit,
): { readonly changes: readonly Change[]; readonly breach: string | undefined } {
  const candidate = entry.evidence?.candidate;
  const whole = candidate?.tree === tree && candidate.base === parent;
  const breach = whole ? undefined : `${commit.slice(0, 7)} is not the tree that was verified`;
  const reason = breach ?? `landed on ${entry.base} as ${commit.slice(0, 7)}`;
  const set = { landedSha: commit };
  const changes: readonly Change[] = [
    { kind: "entry-moved", entry: entry.id, from: "landing", to: "landed", reason, at, set },
    { kind: "task-moved", task: task.id, from: task.state, to: "landed", reason, at, set },
    settledIntent(entry, `landed as ${commit}`, at),
  ];
  return { changes, breach };
}

export function decideNotLanded(
  { entry, task }: Landing,
  end: {
    readonly to: "queued" | "superseded" | "rejected";
    readonly reason: string;
    readonly now: Instant;
  },
): readonly Change[] {
  const { to, reason, now: at } = end;
  const set = { evidence: null };
  const moved: Change = {
    ...{ kind: "entry-moved", entry: entry.id, from: "landing", to, reason, at },
    set,
  };
  const back: Change = {
    ...{ kind: "task-moved", task: task.id, from: task.state, to: "review", reason, at },
    set: {},
  };
  return [moved, ...(to === "queued" ? [] : [back]), settledIntent(entry, reason, at)];
}

function settledIntent(entry: Entry, result: string, at: Instant): Change {
  return { kind: "intent-settled", key: landingKey(entry), result, at };
}

export function landingKey(entry: Entry): string {
  return `land:${entry.id}`;
}
