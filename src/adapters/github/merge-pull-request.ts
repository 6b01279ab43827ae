import { sha } from "../../domain/ids.ts";
import type { GitHub, MergeOutcome } from "../../ports/github.ts";
import { AppError } from "../../shared/app-error.ts";
import { httpFailureOf, isRateLimited } from "./classify.ts";
import { ownerAndRepo } from "./connection.ts";
import type { Connection } from "./connection.ts";

type MergeRequest = Parameters<GitHub["mergePullRequest"]>[1];

/** Asks once. A lost answer is `unknown`: a merge is never repeated blindly, since a 500 may have merged. */
export async function mergePullRequest(
  connection: Connection,
  request: MergeRequest,
): Promise<MergeOutcome> {
  try {
    const client = await connection.client(request.repo);
    const { data } = await client.rest.pulls.merge({
      ...ownerAndRepo(request.repo),
      pull_number: request.pull,
      sha: request.head,
      merge_method: request.method,
      commit_title: request.title,
      commit_message: request.message,
      request: { retries: 0 },
    });
    return data.merged
      ? { kind: "merged", commit: sha(data.sha) }
      : { kind: "unknown", reason: data.message };
  } catch (error) {
    return outcomeOfFailure(error);
  }
}

function outcomeOfFailure(error: unknown): MergeOutcome {
  // It was never sent: what it waits for is all there is to say.
  if (error instanceof AppError) return { kind: "unknown", reason: error.message };
  const failure = httpFailureOf(error);
  if (failure === undefined || failure.status >= 500 || isRateLimited(failure)) {
    return { kind: "unknown", reason: "GitHub did not answer the merge" };
  }
  if (failure.status === 409) return { kind: "head-moved" };
  // 405 is overloaded; GitHub tells a moved base from a policy only by these words.
  if (failure.status === 405 && failure.message.includes("Base branch was modified")) {
    return { kind: "base-moved" };
  }
  return { kind: "refused", reason: failure.message };
}
