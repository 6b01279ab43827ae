import type { Connection } from "../connection/connection.ts";
import { readingQuery } from "../reading/board-query.ts";
import type { PullNode, ReadingPage } from "../reading/reading-nodes.ts";
import { collectPages, pageVariables } from "./board-pages.ts";
import type { Asker } from "./shared-board.ts";

/** Pull requests are read as the app, because a person's token may not show all reviews and who may write. */
export async function readPulls(
  connection: Connection,
  { repo, config }: Asker,
): Promise<readonly PullNode[]> {
  const query = readingQuery("organization");
  const { pulls } = await collectPages(
    (cursor) =>
      connection.call(repo, "read the pull requests", (client) =>
        client.graphql<ReadingPage>(query, {
          ...pageVariables(repo, config.board),
          ...cursor,
          size: 1,
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
