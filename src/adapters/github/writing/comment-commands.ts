import type { GitHub } from "../../../ports/github.ts";
import { ownerAndRepo } from "../connection/connection.ts";
import type { Connection } from "../connection/connection.ts";
import { httpFailureOf } from "../connection/github-failure.ts";

type CommentCommands = Pick<GitHub, "readComment" | "react" | "setLabels">;

/** Reads commands in comments and answers them with reactions and labels. */
export function createCommentCommands(connection: Connection): CommentCommands {
  return {
    readComment: (repo, id) =>
      connection.call(repo, `read comment ${id}`, (client) =>
        unlessGone(async () => {
          const at = { ...ownerAndRepo(repo), comment_id: Number(id) };
          const { data } = await client.rest.issues.getComment(at);
          const issue = Number(/\/issues\/(\d+)$/.exec(data.issue_url)?.[1]);
          const author = data.user?.login ?? "ghost";
          return { author, body: data.body ?? "", issue, createdAt: Date.parse(data.created_at) };
        }),
      ),
    react: (repo, id, content) =>
      connection.call(repo, `react to comment ${id}`, async (client) => {
        const at = { ...ownerAndRepo(repo), comment_id: Number(id) };
        await client.rest.reactions.createForIssueComment({ ...at, content });
      }),
    setLabels: (repo, issue, { add, remove }) =>
      connection.call(repo, `label issue ${issue}`, async (client) => {
        const at = { ...ownerAndRepo(repo), issue_number: issue };
        for (const name of remove)
          await unlessGone(() => client.rest.issues.removeLabel({ ...at, name }));
        if (add.length > 0) await client.rest.issues.addLabels({ ...at, labels: [...add] });
      }),
  };
}

async function unlessGone<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    const status = httpFailureOf(error)?.status;
    if (status === 404 || status === 410) return undefined;
    throw error;
  }
}
