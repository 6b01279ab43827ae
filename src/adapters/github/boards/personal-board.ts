import type { RepoReading } from "../../../domain/board.ts";
import type { RepoName } from "../../../domain/ids.ts";
import { AppError } from "../../../shared/app-error.ts";
import type { Connection } from "../connection/connection.ts";
import { projectOwner } from "../connection/personal-access.ts";
import type { PersonalAccess } from "../connection/personal-access.ts";
import { askVersion } from "./items-version.ts";
import { createBoardOf } from "./project-board.ts";
import type { ProjectBoard } from "./project-board.ts";
import type { Asker } from "./shared-board.ts";

const LACKING = "the owner of the token may not see it";

/**
 * Creates the board of a person's own project, which is reached by that person's token. No webhook tells of its moves. The app's own
 * moves appear as the person's, so the app never moves a card to Ready: it would look as if the person had vouched for it.
 */
export function createPersonalBoard(
  connection: Connection,
  access: PersonalAccess,
  now: () => number,
): ProjectBoard {
  const refusals = new Map<RepoName, string>();
  const questionOf = ({ repo, config }: Asker, attempted: string) => ({
    repo,
    board: config.board,
    attempted,
  });
  const board = createBoardOf(connection, {
    now,
    owner: "user",
    lacking: LACKING,
    showsPulls: false,
    login: projectOwner,
    admit: (asker) => access.admit(questionOf(asker, "read the board")),
    ask: (asker, attempted, work) => access.call(questionOf(asker, attempted), work),
    check: (repo, found) => connection.check(repo, found),
    askVersion: (asker, known) =>
      connection.call(asker.repo, "look for changes", () =>
        askVersion(known, (headers) =>
          access.items(questionOf(asker, "look for changes"), headers),
        ),
      ),
    write: (repo, config, document) =>
      access.call(questionOf({ repo, config }, "move cards"), (ask) =>
        ask(document.query, document.variables),
      ),
  });
  return {
    ...board,
    async read(repo, config, since) {
      const reading = await board.read(repo, config, since);
      return withoutReady(reading, refusals.get(repo));
    },
    async update(repo, config, wanted) {
      await unlessUnusable(board.update(repo, config, wanted), (words) => {
        if (words === undefined) refusals.delete(repo);
        else refusals.set(repo, words);
      });
    },
  };
}

function withoutReady(reading: RepoReading, refusal: string | undefined): RepoReading {
  const { board } = reading;
  const hints = [...(board.hints ?? []), ...(refusal === undefined ? [] : [refusal])];
  return {
    ...reading,
    board: { ...board, hints, missingRoles: [...board.missingRoles, "ready"] },
  };
}

/** If the token may read but not write, the next reading says so. A report that fails must not fail the tick. */
async function unlessUnusable(
  update: Promise<void>,
  tell: (words: string | undefined) => void,
): Promise<void> {
  try {
    await update;
    tell(undefined);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "board-unreadable") throw error;
    tell(error.message);
  }
}
