import type { RepoReading } from "../domain/board.ts";
import { instant } from "../domain/ids.ts";
import type { Instant } from "../domain/ids.ts";
import type { Signal } from "../domain/signal.ts";
import type { Deps, RepoContext } from "../ports/deps.ts";
import { AppError } from "../shared/app-error.ts";
import { TOGETHER_MS, decideReading, earliestReading, paidAfterReading } from "./decide-reading.ts";
import type { ReadingSnapshot } from "./decide-reading.ts";

/** This is known of the board between ticks. */
export interface BoardKnowledge {
  reading: RepoReading | undefined;
  /** Every reading takes a while of the budget: until when the past ones have. */
  readingsPaidUntil: Instant;
  /** GitHub changed since the reading, and it is not time for the next one yet. */
  unread: boolean;
  /** The base branch may have moved since its directories were read. */
  directoriesAreOld: boolean;
}

export const NOTHING_READ: BoardKnowledge = {
  reading: undefined,
  readingsPaidUntil: instant(0),
  unread: false,
  directoriesAreOld: true,
};

export interface BoardNews extends Pick<ReadingSnapshot, "isNews" | "signals"> {
  readonly known: BoardKnowledge;
}

export interface BoardPass {
  readonly learned: Partial<BoardKnowledge>;
  /** The board is to be read then. It is undefined when it was read, or need not be. */
  readonly again?: Instant;
  /** There is nothing to decide on yet, or what there is will be decided on in a moment, with what comes until then. */
  readonly isOver: boolean;
}

type BoardDeps = Pick<Deps, "clock" | "github" | "notices">;

/** Reads the board if there is news of it and the time for the next reading has come. */
export async function readBoard(
  context: RepoContext,
  { known, isNews, signals }: BoardNews,
  deps: BoardDeps,
): Promise<BoardPass> {
  const now = deps.clock.now();
  const isOver = known.reading === undefined;
  if (!(await isDue({ ...known, now, isNews, signals }, context, deps)))
    return { learned: {}, isOver };
  const again = earliestReading(known);
  if (now < again) {
    return { learned: { unread: true }, again, isOver: isOver || again - now <= TOGETHER_MS };
  }
  // It is paid for before it is made: one that fails costs GitHub's budget, too.
  known.readingsPaidUntil = paidAfterReading({ ...known, now });
  const reading = await tryReading(context, now, deps);
  if (reading === undefined) return { learned: {}, isOver };
  const directoriesAreOld = known.directoriesAreOld || mayHaveMovedBase(signals);
  const learned = { reading, unread: false, directoriesAreOld };
  return { learned, isOver: false };
}

/** The timer's wake-ups make up for webhooks that were lost: most find that nothing happened, at no cost. */
async function isDue(
  snapshot: ReadingSnapshot,
  { repo, config }: RepoContext,
  { github }: Pick<BoardDeps, "github">,
): Promise<boolean> {
  const { kind } = decideReading(snapshot);
  if (kind !== "ask") return kind === "read";
  const since = snapshot.signals.length > 0 ? snapshot.now : undefined;
  return !(await github.isUnchanged(repo, config, since));
}

/** A board that cannot be read is said once, not with every try; what was read before counts in the meantime. */
async function tryReading(
  { repo, config }: RepoContext,
  since: Instant,
  { github, notices }: Pick<BoardDeps, "github" | "notices">,
): Promise<RepoReading | undefined> {
  try {
    const reading = await github.readRepo(repo, config, since);
    notices.set(repo, "board", reading.board.hints ?? []);
    return reading;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "board-unreadable") throw error;
    notices.set(repo, "board", [error.message]);
    return undefined;
  }
}

/** Only a push moves a branch; a wake-up without any signal is the timer's, and makes up for a lost one. */
function mayHaveMovedBase(signals: readonly Signal[]): boolean {
  return signals.length === 0 || signals.some(({ event }) => event === "push");
}
