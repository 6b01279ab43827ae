import type { Exploration, RebasedWinner } from "../../domain/exploration.ts";
import { isContest } from "../../domain/explore/words.ts";
import { entryId } from "../../domain/ids.ts";
import type { Sha } from "../../domain/ids.ts";
import type { RepoContext } from "../../ports/deps.ts";
import type { CommandEnd } from "../../ports/processes.ts";
import { AppError } from "../../shared/app-error.ts";
import { plainName } from "../../shared/quote.ts";
import { runInCleanRoom } from "../../workspace/clean-room.ts";
import type { CleanRoomDeps } from "../../workspace/clean-room.ts";
import { scoreCommit } from "./score-commit.ts";

interface Winner {
  readonly context: RepoContext;
  readonly exploration: Exploration;
  readonly head: Sha;
  readonly signal: AbortSignal;
}

const MAX_PATHS = 3;

/**
 * Puts the winner on the base as it is by now, and verifies and scores it there. It returns undefined where the base did not move. A winner
 * that does not fit any more stays where it was made: what follows is the same as for any other change that conflicts.
 */
export async function rebaseWinner(
  winner: Winner,
  deps: CleanRoomDeps,
): Promise<RebasedWinner | undefined> {
  const { context, exploration, head } = winner;
  const { repo, base } = context;
  if (isContest(exploration)) return undefined;
  const onto = await deps.git.fetchBranch(repo, base);
  if (onto === exploration.base) return undefined;
  const parts = [{ entry: entryId("winner"), head, message: "" }];
  const built = await deps.git.buildCandidate({ repo, base: onto, method: "rebase", parts });
  switch (built.kind) {
    case "missing":
      throw new AppError("git-failed", `cannot rebase the winner: ${built.reason}`);
    case "conflict":
      return { onto, problem: `it conflicts with ${base} in ${listed(built.paths)}` };
    case "built":
      return judged({ ...winner, onto, head: built.candidate.commit }, deps);
  }
}

async function judged(
  { context, exploration, head, onto, signal }: Winner & { readonly onto: Sha },
  deps: CleanRoomDeps,
): Promise<RebasedWinner> {
  const { repo, base, config } = context;
  if (config.verify !== undefined) {
    const limit = { command: config.verify, timeoutMs: config.timeouts.verify };
    const execution = { step: "verify", ...limit } as const;
    const clean = { repo, commit: head, config, name: `winner-${head.slice(0, 16)}`, signal };
    const { end } = await runInCleanRoom({ ...clean, execution }, deps);
    if (!isGood(end)) return { onto, problem: `it does not pass the verification on ${base}` };
  }
  const { score } = exploration.plan;
  if (score === undefined) return { onto, head };
  const timeoutMs = config.explore.timeout ?? Infinity;
  const question = { context, score, commit: head, judge: onto, timeoutMs, signal };
  const answer = await scoreCommit(question, deps);
  if (answer.kind === "scored") return { onto, head, score: answer.score };
  isGood(answer.end);
  return { onto, problem: `it cannot be scored on ${base}` };
}

/** A command that was interrupted says nothing: all of this is done again. */
function isGood(end: CommandEnd): boolean {
  if (end.kind === "cancelled" || end.kind === "lost")
    throw new AppError("process-failed", "the winner's check was stopped", { retryable: true });
  return end.kind === "exited" && end.code === 0;
}

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, MAX_PATHS).map(plainName).join(", ");
  return paths.length > MAX_PATHS ? `${shown} and ${paths.length - MAX_PATHS} more` : shown;
}
