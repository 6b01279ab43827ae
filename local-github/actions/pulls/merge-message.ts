import type { Commit } from "../../git/history.ts";
import type { PullRequest } from "../../model/pull-request.ts";

interface Wanted {
  readonly method: "merge" | "squash" | "rebase";
  readonly title?: string;
  readonly message?: string;
}

/** Writes the message of a merge or squash commit, with GitHub's defaults for what was not given. */
export function mergeMessage(
  pull: PullRequest,
  commits: readonly Commit[],
  wanted: Wanted,
): string {
  const [title, body] = wanted.method === "squash" ? squashWords(pull, commits) : mergeWords(pull);
  return [wanted.title ?? title, wanted.message ?? body].filter(Boolean).join("\n\n");
}

function mergeWords(pull: PullRequest): readonly [string, string] {
  const from = `${pull.headRepository.owner.login}/${pull.headRef}`;
  return [`Merge pull request #${pull.number} from ${from}`, pull.title];
}

function squashWords(pull: PullRequest, commits: readonly Commit[]): readonly [string, string] {
  const [only] = commits;
  if (only !== undefined && commits.length === 1) {
    const [title = "", ...rest] = only.message.split("\n");
    return [`${title} (#${pull.number})`, rest.join("\n").trim()];
  }
  const list = commits.map((commit) => `* ${commit.message}`).join("\n\n");
  return [`${pull.title} (#${pull.number})`, list];
}
