import type { Deps, RepoContext } from "../deps.ts";
import type { RepoReading } from "../domain/board.ts";
import { instant } from "../domain/ids.ts";
import type { Instant, RepoName, Sha, TaskId } from "../domain/ids.ts";
import { isObjective } from "../domain/objective.ts";
import type { Task } from "../domain/task.ts";
import type { RepoMemory } from "../ports/store.ts";
import { AppError } from "../shared/app-error.ts";
import { decideCardMoves } from "./decide-card-moves.ts";
import type { DesiredMove } from "./decide-card-moves.ts";
import { decideCardNotes } from "./decide-card-notes.ts";
import type { DesiredNote } from "./decide-card-notes.ts";
import { publishCheck } from "./publish-check.ts";
import { publishComment } from "./publish-comment.ts";
import { answerView } from "./render-answer.ts";
import type { AnswerView } from "./render-answer.ts";
import { storyOf } from "./task-story.ts";
import type { TaskStory } from "./task-story.ts";
import { unlessRefused } from "./unless-refused.ts";

/** Our own budget of writes is asked at no cost. */
const ASK_AGAIN_MS = 15_000;

/**
 * Brings what people see in line with the store. What is already right costs no call. What the budget of writes holds back is said
 * later, and keeps nothing else from going on. Resolves to when that is.
 */
export async function tick(
  context: RepoContext,
  reading: RepoReading,
  deps: Deps,
): Promise<Instant | undefined> {
  try {
    await report(context, reading, deps);
    deps.notices.set(context.repo, "budget", []);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "github-rate-limited") throw error;
    if (error.retryAfterMs !== undefined) throw error;
    deps.notices.set(context.repo, "budget", [`what is to be reported ${error.message}`]);
    return instant(deps.clock.now() + ASK_AGAIN_MS);
  }
}

async function report(context: RepoContext, reading: RepoReading, deps: Deps): Promise<void> {
  const memory = await deps.store.readRepo(context.repo);
  await updateCards(context, { memory, reading }, deps);
  const answers = await readAnswers(context.repo, memory.tasks, deps);
  for (const task of memory.tasks.filter((one) => !isObjective(one))) {
    const story = storyOf(task, memory);
    await publishComment(context, { story, answer: answers.get(task.issue) }, deps);
    const checked = underReview(story) ?? sentBack(story, memory);
    if (checked !== undefined) await publishCheck(context, checked, deps);
  }
}

async function readAnswers(
  repo: RepoName,
  tasks: readonly Task[],
  deps: Deps,
): Promise<ReadonlyMap<number, AnswerView>> {
  const issues = tasks.map(({ issue }) => issue);
  const given = await deps.store.answersOn(repo, issues);
  const views = [...new Set(given.map(({ issue }) => issue))].flatMap((issue) => {
    const view = answerView(given.filter((command) => command.issue === issue));
    return issue === undefined || view === undefined ? [] : [[issue, view] as const];
  });
  return new Map(views);
}

interface Checked {
  readonly story: TaskStory;
  readonly head: Sha;
}

/** The commit of the task's open pull request: its last run pushed it. */
function underReview(story: TaskStory): Checked | undefined {
  const { task, run } = story;
  if (task.state !== "review" && task.state !== "queued") return undefined;
  return run?.outcome?.kind === "succeeded" ? { story, head: run.outcome.head } : undefined;
}

/** The commit that the train sent back, with the run that made it: its check run must not wait for ever. */
function sentBack(story: TaskStory, { runs }: RepoMemory): Checked | undefined {
  const { task, entry } = story;
  if (entry?.state !== "rejected" || !ENDED_REVIEW.has(task.state)) return undefined;
  const made = runs.findLast(
    ({ outcome }) => outcome?.kind === "succeeded" && outcome.head === entry.head,
  );
  return { story: { ...story, run: made }, head: entry.head };
}

const ENDED_REVIEW: ReadonlySet<Task["state"]> = new Set(["waiting", "running", "failed"]);

/** Fields ride along with moves: a call of their own would cost as much as a move. */
async function updateCards(
  context: RepoContext,
  { memory, reading }: { readonly memory: RepoMemory; readonly reading: RepoReading },
  deps: Deps,
): Promise<void> {
  const ids = memory.tasks.map(({ id }) => id);
  const moved = await marksOf("card", ids, deps);
  const moves = decideCardMoves(memory.tasks, reading.board, moved);
  if (moves.length === 0) return;
  const roleOf = new Map(reading.board.cards.map((card) => [card.id, card.role]));
  // Our own moves wake nobody, so a card that we moved before may be elsewhere than the reading has it.
  const needed = moves.filter(
    ({ task, cardId, role }) => moved.has(task) || roleOf.get(cardId) !== role,
  );
  const notes = hasFacts(reading)
    ? decideCardNotes(memory, reading.board, await marksOf("facts", ids, deps))
    : [];
  if (needed.length + notes.length > 0) {
    await unlessRefused({ repo: context.repo, what: "card moves" }, deps, () =>
      deps.github.updateCards(context.repo, context.config, { moves: needed, notes }),
    );
  }
  for (const move of moves) await remember("card", move, deps);
  for (const note of notes) await remember("facts", note, deps);
}

function hasFacts({ board }: RepoReading): boolean {
  return board.cards.some(({ facts }) => Object.keys(facts ?? {}).length > 0);
}

type CardAspect = "card" | "facts";

async function marksOf(
  aspect: CardAspect,
  tasks: readonly TaskId[],
  deps: Deps,
): Promise<ReadonlyMap<TaskId, string>> {
  const marks = new Map<TaskId, string>();
  for (const task of tasks) {
    const known = await deps.store.publication(`${aspect}:${task}`);
    if (known !== undefined) marks.set(task, known.digest);
  }
  return marks;
}

function remember(
  aspect: CardAspect,
  { task, cardId, mark }: DesiredMove | DesiredNote,
  deps: Deps,
): Promise<void> {
  const key = `${aspect}:${task}`;
  return deps.store.savePublication({ key, remoteId: cardId, digest: mark });
}
