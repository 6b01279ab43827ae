import { mergePullRequest } from "../../actions/pulls/merge-pull-request.ts";
import { workOutMergeability } from "../../actions/pulls/mergeability.ts";
import { openPullRequest } from "../../actions/pulls/open-pull-request.ts";
import { editPullRequest } from "../../actions/pulls/pull-state.ts";
import { updateBranch } from "../../actions/pulls/update-branch.ts";
import { grants } from "../../auth/permission.ts";
import { changedFiles } from "../../git/diff.ts";
import { commitsBetween, mergeBase } from "../../git/history.ts";
import { pullsOf } from "../../model/find.ts";
import { Problem } from "../../model/problem.ts";
import type { PullRequest } from "../../model/pull-request.ts";
import {
  given,
  objectBody,
  oneOf,
  optionalBoolean,
  optionalText,
  requiredText,
} from "../request/body.ts";
import { diffAnswer } from "../request/diff-answer.ts";
import { listAnswer } from "../request/pages.ts";
import { repoRoute } from "../request/route.ts";
import type { Answer, RepoCall, Route } from "../request/route.ts";
import { pullIn } from "../request/thread-in.ts";
import { changedFileView, commitView } from "../view/commit.ts";
import { pullView, simplePullView, UNKNOWN_MERGE } from "../view/pull-request.ts";
import { repositoryApi } from "../view/repository.ts";
import { changePullState, textEdit } from "./issue-routes.ts";

const READ = "pull_requests=read";
const WRITE = "pull_requests=write";
const PULL = "/pulls/{pull_number}";

export const PULL_ROUTES: readonly Route[] = [
  repoRoute("GET", "/pulls", { needs: READ, answer: list }),
  repoRoute("POST", "/pulls", { needs: WRITE, answer: open }),
  repoRoute("GET", PULL, { needs: READ, answer: get }),
  repoRoute("PATCH", PULL, { needs: WRITE, answer: update }),
  repoRoute("GET", `${PULL}/files`, { needs: READ, answer: listFiles }),
  repoRoute("GET", `${PULL}/commits`, { needs: READ, answer: listCommits }),
  repoRoute("PUT", `${PULL}/merge`, { needs: "contents=write", answer: merge }),
  repoRoute("GET", `${PULL}/merge`, { needs: READ, answer: isMerged }),
  repoRoute("PUT", `${PULL}/update-branch`, { needs: WRITE, answer: updateHead }),
];

function list(call: RepoCall): Answer {
  const query = call.url.searchParams;
  const state = query.get("state") ?? "open";
  const head = query.get("head");
  const base = query.get("base");
  const found = pullsOf(call.world, call.repository)
    .filter((pull) => state === "all" || pull.state === state)
    .filter(
      (pull) => head === null || `${pull.headRepository.owner.login}:${pull.headRef}` === head,
    )
    .filter((pull) => base === null || pull.baseRef === base);
  const inOrder = query.get("direction") === "asc" ? found : found.toReversed();
  return listAnswer(call, inOrder, (pull) => simplePullView(call.world, pull));
}

async function open(call: RepoCall): Promise<Answer> {
  const pull = await openPullRequest(call.world, call.repository, {
    title: requiredText(call.body, "title"),
    head: requiredText(call.body, "head"),
    base: requiredText(call.body, "base"),
    draft: optionalBoolean(call.body, "draft") ?? false,
    ...given("body", optionalText(call.body, "body")),
    actor: call.actor,
  });
  return { status: 201, body: pullView(call.world, pull) };
}

async function get(call: RepoCall): Promise<Answer> {
  const pull = pullIn(call);
  const diff = await diffAnswer(call, pull.baseSha, pull.headSha);
  if (diff !== undefined) return diff;
  if (pull.state === "open") await workOutMergeability(pull);
  const body = pullView(call.world, pull);
  if (pull.state === "closed" || !call.faults.takeUnknownMergeable()) return { status: 200, body };
  return { status: 200, body: { ...body, ...UNKNOWN_MERGE } };
}

function update(call: RepoCall): Answer {
  const pull = pullIn(call);
  editPullRequest(call.world, pull, { ...textEdit(call.body), actor: call.actor });
  changePullState(call, pull);
  return { status: 200, body: pullView(call.world, pull) };
}

async function listFiles(call: RepoCall): Promise<Answer> {
  const pull = pullIn(call);
  const { repository, headSha } = pull;
  const from = await startOf(pull);
  const files = await changedFiles(repository.dir, from, headSha);
  return listAnswer(call, files, (file) =>
    changedFileView(call.world, { repository, headSha }, file),
  );
}

async function listCommits(call: RepoCall): Promise<Answer> {
  const pull = pullIn(call);
  const commits = await commitsBetween(call.repository.dir, await startOf(pull), pull.headSha);
  return listAnswer(call, commits, (commit) => commitView(call.world, call.repository, commit));
}

async function startOf({ repository, baseSha, headSha }: PullRequest): Promise<string> {
  return (await mergeBase(repository.dir, baseSha, headSha)) ?? baseSha;
}

async function merge(call: RepoCall): Promise<Answer> {
  refuseNullTitle(call.body);
  const merged = await mergePullRequest(call.world, pullIn(call), {
    method: oneOf(call.body, "merge_method", ["merge", "squash", "rebase"]) ?? "merge",
    noWorkflows: !grants(call.token, "workflows=write"),
    ...given("sha", optionalText(call.body, "sha")),
    ...given("title", optionalText(call.body, "commit_title")),
    ...given("message", optionalText(call.body, "commit_message")),
    actor: call.actor,
  });
  const words = "Pull Request successfully merged";
  return { status: 200, body: { sha: merged, merged: true, message: words } };
}

function refuseNullTitle(body: unknown): void {
  if (objectBody(body)["commit_title"] !== null) return;
  throw new Problem(422, "Invalid request.\n\nFor 'commit_title', nil is not a string.");
}

function isMerged(call: RepoCall): Answer {
  if (pullIn(call).landing === null) throw new Problem(404, "Not Found");
  return { status: 204 };
}

async function updateHead(call: RepoCall): Promise<Answer> {
  const pull = pullIn(call);
  await updateBranch(call.world, pull, {
    ...given("expectedSha", optionalText(call.body, "expected_head_sha")),
    actor: call.actor,
  });
  const url = `${repositoryApi(call.world, call.repository)}/pulls/${pull.number}`;
  return { status: 202, body: { message: "Updating pull request branch.", url } };
}
