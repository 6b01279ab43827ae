import { replaceOwnPart } from "../../../domain/markers.ts";
import type { GitHub, NewPullRequest, PullRequestText } from "../../../ports/github.ts";
import { ownerAndRepo } from "../connection/connection.ts";
import type { Connection, Octokit } from "../connection/connection.ts";
import { httpFailureOf } from "../connection/github-failure.ts";
import { fits } from "./fitting-text.ts";

/** Opening twice is harmless, because the branch's open pull request is found and kept. */
export async function openPullRequest(
  connection: Connection,
  request: NewPullRequest,
): ReturnType<GitHub["openPullRequest"]> {
  return connection.call(request.repo, "open a pull request", async (client) => {
    try {
      const { data } = await client.rest.pulls.create({
        ...ownerAndRepo(request.repo),
        head: request.branch,
        base: request.base,
        title: request.title,
        body: request.body,
      });
      return { pull: data.number, text: "told" };
    } catch (error) {
      const existing =
        httpFailureOf(error)?.status === 422 ? await openPullOf(client, request) : undefined;
      if (existing === undefined) throw error;
      const { number: pull, body } = existing;
      return { pull, text: await describe(client, { ...request, pull }, body) };
    }
  });
}

type Described = Pick<NewPullRequest, "repo" | "body"> & { readonly pull: number };

/** Updates the app's own part of the description to the newest attempt on the branch. */
export function describePullRequest(
  connection: Connection,
  described: Described,
): Promise<PullRequestText> {
  const { repo, pull } = described;
  return connection.call(repo, `describe pull request ${pull}`, async (client) => {
    const { data } = await client.rest.pulls.get({ ...ownerAndRepo(repo), pull_number: pull });
    return describe(client, described, data.body);
  });
}

async function describe(
  client: Octokit,
  { repo, pull, body: part }: Described,
  before: string | null,
): Promise<PullRequestText> {
  const body = replaceOwnPart(before ?? "", part);
  if (body === undefined || !fits(body)) return "left";
  if (body !== before) {
    await client.rest.pulls.update({ ...ownerAndRepo(repo), pull_number: pull, body });
  }
  return "told";
}

async function openPullOf(
  client: Octokit,
  request: NewPullRequest,
): Promise<{ readonly number: number; readonly body: string | null } | undefined> {
  const at = ownerAndRepo(request.repo);
  const { data } = await client.rest.pulls.list({
    ...at,
    head: `${at.owner}:${request.branch}`,
    base: request.base,
    state: "open",
  });
  return data[0];
}
