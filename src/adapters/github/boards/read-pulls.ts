import type { Connection } from "../connection/connection.ts";
import { readingQuery } from "../reading/board-query.ts";
import { wholePulls } from "../reading/long-lists.ts";
import type { Query } from "../reading/long-lists.ts";
import type { PullNode, ReadingPage } from "../reading/reading-nodes.ts";
import { collectPages, pageVariables } from "./board-pages.ts";
import type { Asker } from "./shared-board.ts";

/** Pull requests are read as the app, because a person's token may not show all reviews and who may write. */
export function readPulls(
  connection: Connection,
  { repo, config }: Asker,
): Promise<readonly PullNode[]> {
  const fixed = { ...pageVariables(repo, config.board), size: 1 };
  return connection.call(repo, "read the pull requests", async (client) => {
    const query: Query = (document, variables) => client.graphql(document, variables);
    const { pulls } = await collectPages(
      (cursor) =>
        query<ReadingPage>(readingQuery("organization"), { ...fixed, ...cursor, withItems: false }),
      {
        items: (): undefined => undefined,
        pulls: (page: ReadingPage) => {
          connection.check(repo, page.repository);
          return page.repository?.pullRequests;
        },
      },
    );
    return wholePulls(query, pulls);
  });
}
