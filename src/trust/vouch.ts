import { taskIdOf } from "../domain/ids.ts";
import type { Instant, TaskId } from "../domain/ids.ts";
import type { Disregarded, ReadCard, LeavingFacts } from "../domain/read-card.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import type { Deps, RepoContext } from "../ports/deps.ts";
import { acceptedCard, heldCard, heldSpec, isHeld, isSameText } from "./accepted-text.ts";
import { judge } from "./judge.ts";
import type { AnyTrustDecision, Question } from "./judge.ts";
import { acceptedBy, needsProof, takenBack } from "./needs-proof.ts";

export interface KnownTrustDecision {
  readonly decision: AnyTrustDecision;
  readonly until: number;
}

/** The decisions are kept by the key of their question. */
export type TrustDecisions = ReadonlyMap<string, KnownTrustDecision>;

export interface Vouched {
  /** A card that nobody trusted stands behind has the reason why it cannot run, and the words that it had when it was trusted. */
  readonly cards: readonly ReadCard[];
  readonly disregarded: ReadonlyMap<TaskId, Disregarded>;
  readonly decisions: TrustDecisions;
}

/** Somebody may be given write access, or lose it: a decision is not asked for again at every tick, nor kept for ever. */
const DECISION_KEPT_MS = 10 * 60_000;
/** A card that is not there cannot show that something else was done to it, so this decision is kept for a shorter time. */
const ABSENT_DECISION_KEPT_MS = 60_000;

interface Seen extends LeavingFacts {
  readonly cards: readonly ReadCard[];
  /** The tasks are kept by issue. */
  readonly tasks: ReadonlyMap<TaskId, Task>;
  /** A run was begun for these tasks since they were last asked for. */
  readonly begun: ReadonlySet<TaskId>;
  readonly known: TrustDecisions;
}

/** It has a card, a task, or both. */
interface Pair {
  readonly issue: TaskId;
  readonly read: ReadCard | undefined;
  readonly task: Task | undefined;
}

/** Asks GitHub's records who stands behind each card that wants something new, or took one away; most ticks have none. */
export async function vouch(
  context: RepoContext,
  seen: Seen,
  deps: Pick<Deps, "clock" | "github">,
): Promise<Vouched> {
  const now = deps.clock.now();
  const pairs = pairsOf(seen);
  const questions = pairs.flatMap((pair) => [...entering(pair), ...leaving(pair, seen)]);
  const known = new Map([...seen.known].filter(([, { until }]) => until > now));
  const unknown = questions.filter(({ key }) => !known.has(key));
  for (const [key, decision] of await judge(context, unknown, deps))
    known.set(key, { decision, until: keptUntil(key, now) });
  const answered = pairs.map((pair) => answer(pair, seen, known));
  const disregarded = answered.flatMap(({ task, ignored }) =>
    task === undefined || ignored === undefined ? [] : [[task.id, ignored] as const],
  );
  return {
    cards: answered.flatMap(({ read }) => read ?? []),
    disregarded: new Map(disregarded),
    decisions: known,
  };
}

/** A run was begun for these tasks since they were last asked for. */
export function begunTasks(tasks: readonly Task[], runs: readonly Run[]): ReadonlySet<TaskId> {
  const since = new Map(tasks.map(({ id, readySince }) => [id, readySince]));
  return new Set(
    runs.flatMap(({ task, queuedAt }) => (queuedAt >= (since.get(task) ?? Infinity) ? task : [])),
  );
}

function pairsOf({ cards, tasks }: Seen): readonly Pair[] {
  const present = cards.map((read): Pair => {
    const issue = issueOf(read);
    return { issue, read, task: tasks.get(issue) };
  });
  const seen = new Set(present.map(({ issue }) => issue));
  const absent = [...tasks].filter(([issue]) => !seen.has(issue));
  return [...present, ...absent.map(([issue, task]) => ({ issue, read: undefined, task }))];
}

function issueOf({ card }: ReadCard): TaskId {
  return taskIdOf(card.issue.repo, card.issue.number);
}

function entering({ issue, read, task }: Pair): readonly Question[] {
  if (read === undefined || !needsProof(read, task)) return [];
  const isOver = task === undefined || ENDED.has(task.state);
  const asked = {
    accepted: isOver ? undefined : acceptedBy(task),
    after: task?.acceptedAt,
    sameText: isSameText(read, task),
  };
  return [{ kind: "entering", key: enteringKey({ issue, read, task }), issue, asked }];
}

const ENDED: ReadonlySet<Task["state"]> = new Set(["failed", "cancelled"]);

function leaving({ issue, read, task }: Pair, seen: Seen): readonly Question[] {
  const accepted = task === undefined ? undefined : takenBack(task, read, seen);
  if (accepted === undefined) return [];
  return [{ kind: "leaving", key: leavingKey({ issue, read, task }), issue, accepted }];
}

/** A text that was accepted once and replaced since is another question. */
function enteringKey({ issue, read, task }: Pair): string {
  const accepted = `${task?.acceptedAt ?? ""}@${task?.acceptedText ?? ""}`;
  return `${issue}@${read?.card.movedAt}@${read?.specHash}@${accepted}`;
}

const ABSENT = "absent";

function leavingKey({ issue, read, task }: Pair): string {
  const place = read === undefined ? ABSENT : `${read.card.movedAt}@${read.card.issue.state}`;
  return `${issue} left ${task?.acceptedAt ?? ""}@${place}`;
}

function keptUntil(key: string, now: Instant): number {
  return now + (key.endsWith(`@${ABSENT}`) ? ABSENT_DECISION_KEPT_MS : DECISION_KEPT_MS);
}

interface Answered extends Pair {
  readonly ignored?: Disregarded;
}

function answer(pair: Pair, seen: Seen, known: TrustDecisions): Answered {
  const entered = known.get(enteringKey(pair))?.decision;
  const left = known.get(leavingKey(pair))?.decision;
  const isAsked = pair.read !== undefined && needsProof(pair.read, pair.task);
  const text: Answered =
    isAsked && entered !== undefined ? afterEntering(pair, entered, seen) : pair;
  const isLeft = pair.task !== undefined && takenBack(pair.task, pair.read, seen) !== undefined;
  return isLeft && left !== undefined ? afterLeaving(text, left) : text;
}

function afterEntering(pair: Pair, decision: AnyTrustDecision, { begun }: Seen): Answered {
  const { read, task } = pair;
  if (read === undefined) return pair;
  if (decision.kind === "trusted") return { ...pair, read: acceptedCard(read, decision.gesture) };
  if (decision.kind !== "untrusted") return pair;
  const { reason } = decision;
  if (task === undefined || !isUnderWay(task, begun))
    return { ...pair, read: heldCard(read, reason, task) };
  const { spec, specHash } = task;
  const goesOn = `${reason.split(";")[0]}: work goes on with the words that were accepted`;
  const ignored = { reason: goesOn, leaving: false, movedAt: undefined };
  return { ...pair, read: { ...read, spec, specHash }, ignored };
}

/** Work that was begun is brought to its end, with the accepted words. */
function isUnderWay(task: Task, begun: ReadonlySet<TaskId>): boolean {
  const isOpen = !ENDED.has(task.state);
  return isOpen && task.acceptedText !== undefined && !isHeld(task) && begun.has(task.id);
}

function afterLeaving(pair: Answered, decision: AnyTrustDecision): Answered {
  const { read, task } = pair;
  if (decision.kind !== "disregarded" && decision.kind !== "unknown") return pair;
  if (task === undefined) return pair;
  const { reason } = decision;
  const ignored = { reason, leaving: true, movedAt: strayedAt(read) };
  if (decision.kind === "disregarded") return { ...pair, ignored };
  return { ...pair, ignored: { ...ignored, held: heldSpec(read ?? task, reason, task) } };
}

function strayedAt(read: ReadCard | undefined): number | undefined {
  const role = read?.card.role;
  return role === undefined || role === "done" ? read?.card.movedAt : undefined;
}
