import type { Disregarded, ReadCard, Surroundings } from "../board/decide-intake.ts";
import type { Deps, RepoContext } from "../deps.ts";
import { taskIdOf } from "../domain/ids.ts";
import type { Instant, TaskId } from "../domain/ids.ts";
import type { Task } from "../domain/task.ts";
import { acceptedCard, heldCard, heldSpec, isHeld, isSameText } from "./accepted-text.ts";
import { judge } from "./judge.ts";
import type { AnyVerdict, Question } from "./judge.ts";
import { acceptedBy, needsProof, takenBack } from "./needs-proof.ts";

/** Somebody may be given write access, or lose it: a verdict is not asked for again at every tick, nor kept for ever. */
const GOOD_FOR_MS = 10 * 60_000;
/** A card that is not there does not show that anything else was done to it. */
const ABSENT_GOOD_FOR_MS = 60_000;

export interface KnownVerdict {
  readonly verdict: AnyVerdict;
  readonly until: number;
}

/** By the key of what was asked. */
export type Verdicts = ReadonlyMap<string, KnownVerdict>;

export interface Vouched {
  /** A card that nobody trusted stands behind is there with the reason why it cannot run, and what it said when it was trusted. */
  readonly cards: readonly ReadCard[];
  readonly disregarded: ReadonlyMap<TaskId, Disregarded>;
  readonly verdicts: Verdicts;
}

interface Seen extends Surroundings {
  readonly cards: readonly ReadCard[];
  /** By issue. */
  readonly tasks: ReadonlyMap<TaskId, Task>;
  /** Tasks that a run was begun for since they were last asked for. */
  readonly begun: ReadonlySet<TaskId>;
  readonly known: Verdicts;
}

/** A card, a task, or both: one of them is there. */
interface Pair {
  readonly issue: TaskId;
  readonly read: ReadCard | undefined;
  readonly task: Task | undefined;
}

/** Asks GitHub's records who stands behind each card that wants something new, or took one away; most ticks have none. */
export async function vouch(context: RepoContext, seen: Seen, deps: Deps): Promise<Vouched> {
  const now = deps.clock.now();
  const pairs = pairsOf(seen);
  const questions = pairs.flatMap((pair) => [...entering(pair), ...leaving(pair, seen)]);
  const known = new Map([...seen.known].filter(([, { until }]) => until > now));
  const unknown = questions.filter(({ key }) => !known.has(key));
  for (const [key, verdict] of await judge(context, unknown, deps))
    known.set(key, { verdict, until: goodUntil(key, now) });
  const answered = pairs.map((pair) => answer(pair, seen, known));
  const disregarded = answered.flatMap(({ task, ignored }) =>
    task === undefined || ignored === undefined ? [] : [[task.id, ignored] as const],
  );
  return {
    cards: answered.flatMap(({ read }) => read ?? []),
    disregarded: new Map(disregarded),
    verdicts: known,
  };
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

/** What was accepted once and replaced since is another question. */
function enteringKey({ issue, read, task }: Pair): string {
  const accepted = `${task?.acceptedAt ?? ""}@${task?.acceptedText ?? ""}`;
  return `${issue}@${read?.card.movedAt}@${read?.specHash}@${accepted}`;
}

const ABSENT = "absent";

function leavingKey({ issue, read, task }: Pair): string {
  const place = read === undefined ? ABSENT : `${read.card.movedAt}@${read.card.issue.state}`;
  return `${issue} left ${task?.acceptedAt ?? ""}@${place}`;
}

function goodUntil(key: string, now: Instant): number {
  return now + (key.endsWith(`@${ABSENT}`) ? ABSENT_GOOD_FOR_MS : GOOD_FOR_MS);
}

interface Answered extends Pair {
  readonly ignored?: Disregarded;
}

function answer(pair: Pair, seen: Seen, known: Verdicts): Answered {
  const entered = known.get(enteringKey(pair))?.verdict;
  const left = known.get(leavingKey(pair))?.verdict;
  const isAsked = pair.read !== undefined && needsProof(pair.read, pair.task);
  const text: Answered =
    isAsked && entered !== undefined ? afterEntering(pair, entered, seen) : pair;
  const isLeft = pair.task !== undefined && takenBack(pair.task, pair.read, seen) !== undefined;
  return isLeft && left !== undefined ? afterLeaving(text, left) : text;
}

function afterEntering(pair: Pair, verdict: AnyVerdict, { begun }: Seen): Answered {
  const { read, task } = pair;
  if (read === undefined) return pair;
  if (verdict.kind === "trusted") return { ...pair, read: acceptedCard(read, verdict.gesture) };
  if (verdict.kind !== "untrusted") return pair;
  const { reason } = verdict;
  if (task === undefined || !isUnderWay(task, begun))
    return { ...pair, read: heldCard(read, reason, task) };
  const { spec, specHash } = task;
  const goesOn = `${reason.split(";")[0]}: work goes on with the words that were accepted`;
  const ignored = { reason: goesOn, leaving: false, movedAt: undefined };
  return { ...pair, read: { ...read, spec, specHash }, ignored };
}

/** What was begun is brought to its end, with what was accepted. */
function isUnderWay(task: Task, begun: ReadonlySet<TaskId>): boolean {
  const isOpen = !ENDED.has(task.state);
  return isOpen && task.acceptedText !== undefined && !isHeld(task) && begun.has(task.id);
}

function afterLeaving(pair: Answered, verdict: AnyVerdict): Answered {
  const { read, task } = pair;
  if (verdict.kind !== "disregarded" && verdict.kind !== "unknown") return pair;
  if (task === undefined) return pair;
  const { reason } = verdict;
  const ignored = { reason, leaving: true, movedAt: strayedAt(read) };
  if (verdict.kind === "disregarded") return { ...pair, ignored };
  return { ...pair, ignored: { ...ignored, held: heldSpec(read ?? task, reason, task) } };
}

function strayedAt(read: ReadCard | undefined): number | undefined {
  const role = read?.card.role;
  return role === undefined || role === "done" ? read?.card.movedAt : undefined;
}
