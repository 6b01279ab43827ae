import type { RepoConfig } from "../../../config/schema/repo-config.ts";
import type { RepoReading } from "../../../domain/board.ts";
import type { RepoName } from "../../../domain/ids.ts";
import type { CardUpdate } from "../../../ports/github.ts";
import { AppError } from "../../../shared/app-error.ts";
import type { Connection } from "../connection/connection.ts";
import { projectOwner } from "../connection/personal-access.ts";
import type { PersonalAccess } from "../connection/personal-access.ts";
import type { PullNode, ReadingPage } from "../reading/reading-nodes.ts";
import { readingQuery } from "../reading/reading-query.ts";
import { nullIfHidden, pageVariables, collectPages } from "./board-pages.ts";
import { createBoardOf } from "./project-board.ts";
import type { RepoBoard } from "./project-board.ts";

const LACKING = "the owner of the token may not see it";

/**
 * Creates the board of a person's own project, which is reached by that person's token. No webhook tells of its moves. The app's own
 * moves appear as the person's, so the app never moves a card to Ready: it would look as if the person had vouched for it.
 */
export function createPersonalBoard(
  connection: Connection,
  access: PersonalAccess,
  now: () => number,
): RepoBoard {
  const refusals = new Map<RepoName, string>();
  const query = readingQuery("user");
  const board = createBoardOf({
    now,
    lacking: LACKING,
    login: projectOwner,
    readPage: (repo, { board: at }, cursor) => {
      const variables = { ...pageVariables(repo, at), owner: projectOwner(repo, at), ...cursor };
      const asked = { repo, board: at, attempted: "read the board" };
      return access.call(asked, (ask) => nullIfHidden(ask<ReadingPage>(query, variables)));
    },
    readPulls: (repo, config) => readPulls(connection, repo, config),
    write: (repo, { board: at }, document) =>
      access.call({ repo, board: at, attempted: "move cards" }, (ask) =>
        ask(document.query, document.variables),
      ),
  });
  return {
    async read(repo, config) {
      const reading = await board.read(repo, config);
      return withoutReady(reading, refusals.get(repo));
    },
    async update(repo, config, wanted) {
      await unlessUnusable(board.update(repo, config, wanted), (words) => {
        if (words === undefined) refusals.delete(repo);
        else refusals.set(repo, words);
      });
    },
  } satisfies {
    read: RepoBoard["read"];
    update(repo: RepoName, config: RepoConfig, wanted: CardUpdate): Promise<void>;
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

/** Pull requests are read as the app, because a person's token may not show all reviews and who may write. */
async function readPulls(
  connection: Connection,
  repo: RepoName,
  { board }: RepoConfig,
): Promise<readonly PullNode[]> {
  const query = readingQuery("organization");
  const { pulls } = await collectPages(
    (cursor) =>
      connection.call(repo, "read the pull requests", (client) =>
        client.graphql<ReadingPage>(query, {
          ...pageVariables(repo, board),
          ...cursor,
          withItems: false,
        }),
      ),
    {
      items: (): undefined => undefined,
      pulls: (page: ReadingPage) => page.repository?.pullRequests,
    },
  );
  return pulls;
}
