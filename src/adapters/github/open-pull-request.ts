import type { NewPullRequest } from "../../ports/github.ts";
import { httpFailureOf } from "./classify.ts";
import { ownerAndRepo } from "./connection.ts";
import type { Connection, Octokit } from "./connection.ts";

/** Opening twice is harmless: the branch's open pull request is found and kept. */
export async function openPullRequest(
  connection: Connection,
  request: NewPullRequest,
): Promise<number> {
  return connection.call(request.repo, "open a pull request", async (client) => {
    try {
      const { data } = await client.rest.pulls.create({
        ...ownerAndRepo(request.repo),
        head: request.branch,
        base: request.base,
        title: request.title,
        body: request.body,
      });
      return data.number;
    } catch (error) {
      const existing =
        httpFailureOf(error)?.status === 422 ? await openPullOf(client, request) : undefined;
      if (existing === undefined) throw error;
      return existing;
    }
  });
}

async function openPullOf(client: Octokit, request: NewPullRequest): Promise<number | undefined> {
  const at = ownerAndRepo(request.repo);
  const { data } = await client.rest.pulls.list({
    ...at,
    head: `${at.owner}:${request.branch}`,
    base: request.base,
    state: "open",
  });
  return data[0]?.number;
}
