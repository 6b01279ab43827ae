import type { TaskId } from "../domain/ids.ts";
import type { Deed, Gesture, Provenance } from "../domain/provenance.ts";
import type { Deps, RepoContext } from "../ports/deps.ts";
import { decideLeaving, decideTrust, editsSince, gestureFor } from "./decide-trust.ts";
import type { LeavingDecision, Asked, TrustDecision } from "./decide-trust.ts";

/** GitHub's records have to answer this question. `key` names what it is about: another move or another text asks anew. */
export type Question = { readonly key: string; readonly issue: TaskId } & (
  | { readonly kind: "entering"; readonly asked: Asked }
  | { readonly kind: "leaving"; readonly accepted: Gesture }
);

export type AnyTrustDecision = TrustDecision | LeavingDecision;

/** Answers all questions with one query, and one call for each person whose right decides. */
export async function judge(
  { repo, config }: RepoContext,
  questions: readonly Question[],
  { github }: Pick<Deps, "github">,
): Promise<ReadonlyMap<string, AnyTrustDecision>> {
  if (questions.length === 0) return new Map();
  const issues = [...new Set(questions.map(({ issue }) => issue))];
  const found = await github.provenance(repo, config, issues);
  const people = new Map<string, boolean>();
  const ask = async (deeds: readonly Deed[]): Promise<void> => {
    for (const login of whoDid(deeds))
      if (!people.has(login)) people.set(login, await github.mayWrite(repo, login));
  };
  const writers = (): ReadonlySet<string> =>
    new Set([...people].flatMap(([login, writes]) => (writes ? login : [])));
  for (const record of found.values()) await ask(record.moves);
  for (const question of questions)
    await ask(editsThatCount(question, found.get(question.issue), writers()));
  return new Map(questions.map((question) => [question.key, decide(question, found, writers())]));
}

function decide(
  question: Question,
  found: ReadonlyMap<TaskId, Provenance>,
  writers: ReadonlySet<string>,
): AnyTrustDecision {
  const record = found.get(question.issue);
  return question.kind === "leaving"
    ? decideLeaving(record, question.accepted, writers)
    : decideTrust(record ?? NOTHING, question.asked, writers);
}

const NOTHING: Provenance = { moves: [], edits: [], completeSince: Infinity };

/** Nobody is asked about who edited before a gesture that counts. */
function editsThatCount(
  question: Question,
  record: Provenance | undefined,
  writers: ReadonlySet<string>,
): readonly Deed[] {
  if (question.kind === "leaving" || record === undefined) return [];
  const gesture = gestureFor(record, question.asked, writers);
  return gesture === undefined ? [] : editsSince(gesture, record);
}

function whoDid(deeds: readonly Deed[]): ReadonlySet<string> {
  return new Set(deeds.flatMap(({ by, automated }) => (automated ? [] : (by ?? []))));
}
