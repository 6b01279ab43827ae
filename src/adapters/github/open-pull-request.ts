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
      await describe(client, { ...request, pull: existing });
      return existing;
    }
  });
}

/** Tells of the newest attempt on the branch. */
export function describePullRequest(connection: Connection, described: Described): Promise<void> {
  return connection.call(described.repo, `describe pull request ${described.pull}`, (client) =>
    describe(client, described),
  );
}

type Described = Pick<NewPullRequest, "repo" | "body"> & { readonly pull: number };

async function describe(client: Octokit, { repo, pull, body }: Described): Promise<void> {
  await client.rest.pulls.update({ ...ownerAndRepo(repo), pull_number: pull, body });
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
