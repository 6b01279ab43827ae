import type { Deps, RepoContext } from "../deps.ts";
import type { RepoReading } from "../domain/board.ts";
import type { RepoName, Sha, TaskId } from "../domain/ids.ts";
import type { Task } from "../domain/task.ts";
import { decideCardMoves } from "./decide-card-moves.ts";
import type { DesiredMove } from "./decide-card-moves.ts";
import { publishCheck } from "./publish-check.ts";
import { publishComment } from "./publish-comment.ts";
import { answerView } from "./render-answer.ts";
import type { AnswerView } from "./render-answer.ts";
import { storyOf } from "./task-story.ts";
import type { TaskStory } from "./task-story.ts";
import { unlessRefused } from "./unless-refused.ts";

/** Brings what people see in line with the store. What is already right costs no call. */
export async function tick(context: RepoContext, reading: RepoReading, deps: Deps): Promise<void> {
  const memory = await deps.store.readRepo(context.repo);
  await moveCards(context, { tasks: memory.tasks, reading }, deps);
  const answers = await readAnswers(context.repo, memory.tasks, deps);
  for (const task of memory.tasks) {
    const story = storyOf(task, memory);
    await publishComment(context, { story, answer: answers.get(task.issue) }, deps);
    const head = headUnderReview(story);
    if (head !== undefined) await publishCheck(context, { story, head }, deps);
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

/** The commit of the task's open pull request: its last run pushed it. */
function headUnderReview({ task, run }: TaskStory): Sha | undefined {
  if (task.state !== "review" && task.state !== "queued") return undefined;
  return run?.outcome?.kind === "succeeded" ? run.outcome.head : undefined;
}

async function moveCards(
  context: RepoContext,
  { tasks, reading }: { readonly tasks: readonly Task[]; readonly reading: RepoReading },
  deps: Deps,
): Promise<void> {
  const moved = new Map<TaskId, string>();
  for (const task of tasks) {
    const known = await deps.store.publication(cardKey(task.id));
    if (known !== undefined) moved.set(task.id, known.digest);
  }
  const moves = decideCardMoves(tasks, reading.board, moved);
  const roleOf = new Map(reading.board.cards.map((card) => [card.id, card.role]));
  const needed = moves.filter((move) => roleOf.get(move.cardId) !== move.role);
  if (needed.length > 0) {
    await unlessRefused({ repo: context.repo, what: "card moves" }, deps, () =>
      deps.github.moveCards(context.repo, context.config, needed),
    );
  }
  for (const move of moves) await remember(move, deps);
}

function cardKey(task: TaskId): string {
  return `card:${task}`;
}

function remember({ task, cardId, mark }: DesiredMove, deps: Deps): Promise<void> {
  return deps.store.savePublication({ key: cardKey(task), remoteId: cardId, digest: mark });
}
