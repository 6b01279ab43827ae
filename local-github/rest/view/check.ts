import type { CheckAnnotation, CheckRun, CommitStatus } from "../../model/check.ts";
import { pullsOf } from "../../model/find.ts";
import type { Repository } from "../../model/repository.ts";
import type { World } from "../../model/world.ts";
import { accountView } from "./account.ts";
import { appView } from "./app.ts";
import { repositoryApi, repositoryPage } from "./repository.ts";

export function checkRunView(world: World, run: CheckRun) {
  const { repository, app } = run.suite;
  const api = `${repositoryApi(world, repository)}/check-runs/${run.id}`;
  return {
    id: run.id,
    node_id: run.nodeId,
    head_sha: run.suite.headSha,
    external_id: run.externalId,
    url: api,
    html_url: `${repositoryPage(world, repository)}/runs/${run.id}`,
    details_url: run.detailsUrl,
    name: run.name,
    status: run.status,
    conclusion: run.conclusion,
    started_at: run.startedAt,
    completed_at: run.completedAt,
    output: {
      ...run.output,
      annotations_count: run.annotations.length,
      annotations_url: `${api}/annotations`,
    },
    check_suite: { id: run.suite.id },
    app: appView(world, app),
    pull_requests: pullsAt(world, repository, run.suite.headSha),
  };
}

export function annotationView(world: World, { suite }: CheckRun, annotation: CheckAnnotation) {
  const blobs = `${repositoryPage(world, suite.repository)}/blob/${suite.headSha}`;
  return {
    path: annotation.path,
    blob_href: `${blobs}/${annotation.path}`,
    start_line: annotation.startLine,
    end_line: annotation.startLine,
    start_column: null,
    end_column: null,
    annotation_level: annotation.level,
    title: null,
    message: annotation.message,
    raw_details: null,
  };
}

function pullsAt(world: World, repository: Repository, sha: string) {
  const api = repositoryApi(world, repository);
  const repo = { id: repository.id, url: api, name: repository.name };
  return pullsOf(world, repository)
    .filter((pull) => pull.state === "open" && pull.headSha === sha)
    .map((pull) => ({
      id: pull.pullId,
      number: pull.number,
      url: `${api}/pulls/${pull.number}`,
      head: { ref: pull.headRef, sha: pull.headSha, repo },
      base: { ref: pull.baseRef, sha: pull.baseSha, repo },
    }));
}

/** Shows a status as the combined view lists it. */
export function simpleStatusView(world: World, status: CommitStatus) {
  return {
    id: status.id,
    node_id: status.nodeId,
    url: `${repositoryApi(world, status.repository)}/statuses/${status.sha}`,
    avatar_url: accountView(world, status.creator).avatar_url,
    state: status.state,
    description: status.description,
    target_url: status.targetUrl,
    context: status.context,
    created_at: status.createdAt,
    updated_at: status.createdAt,
  };
}

export function statusView(world: World, status: CommitStatus) {
  return { ...simpleStatusView(world, status), creator: accountView(world, status.creator) };
}
