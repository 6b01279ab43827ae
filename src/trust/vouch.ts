import type { ReadCard } from "../board/decide-intake.ts";
import type { Deps, RepoContext } from "../deps.ts";
import { taskIdOf } from "../domain/ids.ts";
import type { TaskId } from "../domain/ids.ts";
import type { Provenance } from "../domain/provenance.ts";
import type { Task } from "../domain/task.ts";
import { digest } from "../shared/digest.ts";
import { decideTrust, peopleToAsk } from "./decide-trust.ts";
import type { Verdict } from "./decide-trust.ts";
import { needsProof } from "./needs-proof.ts";

/** Somebody may be given write access, or lose it: a verdict is not asked for again at every tick, nor kept for ever. */
const GOOD_FOR_MS = 10 * 60_000;

export interface KnownVerdict {
  readonly verdict: Verdict;
  readonly until: number;
}

/** Verdicts by what they were about: another move or another text asks anew. */
export type Verdicts = ReadonlyMap<string, KnownVerdict>;

export interface Vouched {
  /** A card that nobody trusted stands behind is there with the reason why it cannot run, and what it said when it was trusted. */
  readonly cards: readonly ReadCard[];
  readonly verdicts: Verdicts;
}

interface Question {
  readonly cards: readonly ReadCard[];
  readonly tasks: ReadonlyMap<TaskId, Task>;
  readonly known: Verdicts;
}

/** Asks GitHub's records who stands behind each card that wants something new; most ticks have none. */
export async function vouch(
  context: RepoContext,
  question: Question,
  deps: Deps,
): Promise<Vouched> {
  const { cards, tasks } = question;
  const now = deps.clock.now();
  const doubtful = cards.filter((read) => needsProof(read, tasks.get(idOf(read))));
  const known = new Map([...question.known].filter(([, { until }]) => until > now));
  const asked = doubtful.filter((read) => !known.has(keyOf(read)));
  const verdicts = await judge(context, asked, deps);
  for (const read of asked) {
    const verdict = verdicts.get(idOf(read));
    if (verdict !== undefined) known.set(keyOf(read), { verdict, until: now + GOOD_FOR_MS });
  }
  const inDoubt = new Set(doubtful);
  return {
    cards: cards.map((read) =>
      inDoubt.has(read) ? held(read, known.get(keyOf(read)), tasks.get(idOf(read))) : read,
    ),
    verdicts: known,
  };
}

async function judge(
  { repo, config }: RepoContext,
  cards: readonly ReadCard[],
  { github }: Deps,
): Promise<ReadonlyMap<TaskId, Verdict>> {
  if (cards.length === 0) return new Map();
  const found = await github.provenance(repo, config, cards.map(idOf));
  const people = new Set([...found.values()].flatMap(peopleToAsk));
  const writers = new Set<string>();
  for (const login of people) if (await github.mayWrite(repo, login)) writers.add(login);
  return new Map(
    cards.map((read) => [idOf(read), decideTrust(found.get(idOf(read)) ?? UNKNOWN, writers)]),
  );
}

const UNKNOWN: Provenance = { madeReady: undefined, edits: [] };

function held(read: ReadCard, known: KnownVerdict | undefined, task: Task | undefined): ReadCard {
  if (known === undefined || known.verdict.kind === "trusted") return read;
  const { reason } = known.verdict;
  const pinned = task?.state === "waiting" || task?.state === "blocked" ? task.spec : read.spec;
  const spec = { ...pinned, invalid: { code: "untrusted", reason } } as const;
  return { ...read, spec, specHash: digest(spec) };
}

function idOf({ card }: ReadCard): TaskId {
  return taskIdOf(card.issue.repo, card.issue.number);
}

function keyOf(read: ReadCard): string {
  return `${idOf(read)}@${read.card.movedAt}@${read.specHash}`;
}
