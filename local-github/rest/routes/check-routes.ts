import { createCheckRun, createStatus, updateCheckRun } from "../../actions/checks.ts";
import type { CheckRunEdit } from "../../actions/checks.ts";
import { hasCommit } from "../../git/history.ts";
import type { CheckAction, CheckAnnotation, CheckOutput, CheckRun } from "../../model/check.ts";
import { latestRuns, latestStatuses, statusVerdict, worst } from "../../model/checks-of.ts";
import { notFound, Problem } from "../../model/problem.ts";
import {
  given,
  objectBody,
  oneOf,
  optionalText,
  requiredInteger,
  requiredText,
} from "../request/body.ts";
import type { Json } from "../request/body.ts";
import { refuseLongCheck } from "../request/check-limits.ts";
import { page } from "../request/pages.ts";
import { shaOf } from "../request/revision.ts";
import { repoRoute } from "../request/route.ts";
import type { Answer, RepoCall, Route } from "../request/route.ts";
import { annotationView, checkRunView, simpleStatusView, statusView } from "../view/check.ts";
import { repositoryApi, simpleRepositoryView } from "../view/repository.ts";

export const CHECK_ROUTES: readonly Route[] = [
  repoRoute("POST", "/check-runs", { needs: "checks=write", answer: create }),
  repoRoute("GET", "/check-runs/{check_run_id}", {
    needs: "checks=read",
    answer: (call) => ({ status: 200, body: checkRunView(call.world, runIn(call)) }),
  }),
  repoRoute("PATCH", "/check-runs/{check_run_id}", { needs: "checks=write", answer: update }),
  repoRoute("GET", "/check-runs/{check_run_id}/annotations", {
    needs: "checks=read",
    answer: listAnnotations,
  }),
  repoRoute("GET", "/commits/{ref}/check-runs", { needs: "checks=read", answer: listRuns }),
  repoRoute("POST", "/statuses/{sha}", { needs: "statuses=write", answer: addStatus }),
  repoRoute("GET", "/commits/{ref}/status", { needs: "statuses=read", answer: combined }),
];

async function create(call: RepoCall): Promise<Answer> {
  const headSha = requiredText(call.body, "head_sha");
  if (!(await hasCommit(call.repository.dir, headSha))) {
    throw new Problem(422, `No commit found for SHA: ${headSha}`);
  }
  const run = createCheckRun(call.world, call.repository, {
    ...editIn(call),
    name: requiredText(call.body, "name"),
    headSha,
  });
  return { status: 201, body: checkRunView(call.world, run) };
}

function update(call: RepoCall): Answer {
  const run = runIn(call);
  updateCheckRun(call.world, run, editIn(call));
  return { status: 200, body: checkRunView(call.world, run) };
}

function runIn({ world, repository, params }: RepoCall): CheckRun {
  const run = world.checkRuns.find(({ id }) => String(id) === params["check_run_id"]);
  if (run?.suite.repository !== repository) throw notFound();
  return run;
}

const CONCLUSIONS = [
  "success",
  "failure",
  "neutral",
  "cancelled",
  "skipped",
  "timed_out",
  "action_required",
] as const;

function editIn(call: RepoCall): CheckRunEdit {
  const edit = readEdit(call);
  refuseLongCheck(edit);
  return edit;
}

function readEdit({ body, actor }: RepoCall): CheckRunEdit {
  const { output, actions } = objectBody(body);
  const status = oneOf(body, "status", ["queued", "in_progress", "completed"]);
  const conclusion = oneOf(body, "conclusion", CONCLUSIONS);
  if (status === "completed" && conclusion === undefined) {
    throw new Problem(422, "Invalid request.\n\nA completed check run needs a conclusion.");
  }
  return {
    ...given("name", optionalText(body, "name")),
    ...given("status", status),
    ...given("conclusion", conclusion),
    ...given("startedAt", optionalText(body, "started_at")),
    ...given("completedAt", optionalText(body, "completed_at")),
    ...given("externalId", optionalText(body, "external_id")),
    ...given("detailsUrl", optionalText(body, "details_url")),
    ...given("output", output === undefined ? undefined : outputOf(objectBody(output))),
    ...given("actions", Array.isArray(actions) ? actions.map(actionOf) : undefined),
    annotations: output === undefined ? [] : annotationsOf(objectBody(output)),
    actor,
  };
}

function outputOf(output: Json): CheckOutput {
  return {
    title: optionalText(output, "title") ?? null,
    summary: optionalText(output, "summary") ?? null,
    text: optionalText(output, "text") ?? null,
  };
}

function actionOf(action: unknown): CheckAction {
  return {
    label: requiredText(action, "label"),
    description: requiredText(action, "description"),
    identifier: requiredText(action, "identifier"),
  };
}

function annotationsOf({ annotations }: Json): readonly CheckAnnotation[] {
  if (!Array.isArray(annotations)) return [];
  return annotations.map((one: unknown) => ({
    path: requiredText(one, "path"),
    startLine: requiredInteger(one, "start_line"),
    level: requiredText(one, "annotation_level"),
    message: requiredText(one, "message"),
  }));
}

function listAnnotations(call: RepoCall): Answer {
  const run = runIn(call);
  const { items, headers } = page(call, run.annotations, (one) =>
    annotationView(call.world, run, one),
  );
  return { status: 200, headers, body: items };
}

async function listRuns(call: RepoCall): Promise<Answer> {
  const sha = await commitIn(call);
  const query = call.url.searchParams;
  const name = query.get("check_name");
  const runs = latestRuns(call.world, call.repository, sha).filter(
    (run) => name === null || run.name === name,
  );
  const { items, headers } = page(call, runs, (run) => checkRunView(call.world, run));
  return { status: 200, headers, body: { total_count: runs.length, check_runs: items } };
}

async function commitIn({ repository, params }: RepoCall): Promise<string> {
  const sha = await shaOf(repository, params["ref"] ?? "");
  if (sha === undefined) throw new Problem(422, `No commit found for SHA: ${params["ref"] ?? ""}`);
  return sha;
}

async function addStatus(call: RepoCall): Promise<Answer> {
  const sha = call.params["sha"] ?? "";
  if (!(await hasCommit(call.repository.dir, sha))) {
    throw new Problem(422, `No commit found for SHA: ${sha}`);
  }
  const state = oneOf(call.body, "state", ["error", "failure", "pending", "success"]);
  if (state === undefined) throw new Problem(422, "Validation Failed");
  const status = createStatus(call.world, call.repository, {
    sha,
    state,
    context: optionalText(call.body, "context") ?? "default",
    description: optionalText(call.body, "description") ?? null,
    targetUrl: optionalText(call.body, "target_url") ?? null,
    actor: call.actor,
  });
  return { status: 201, body: statusView(call.world, status) };
}

const COMBINED = { missing: "pending", pending: "pending", failing: "failure", passing: "success" };

async function combined(call: RepoCall): Promise<Answer> {
  const { world, repository } = call;
  const sha = await commitIn(call);
  const statuses = latestStatuses(world, repository, sha);
  const api = `${repositoryApi(world, repository)}/commits/${sha}`;
  const { items, headers } = page(call, statuses, (one) => simpleStatusView(world, one));
  const body = {
    state: COMBINED[worst(statuses.map(statusVerdict))],
    statuses: items,
    sha,
    total_count: statuses.length,
    repository: simpleRepositoryView(world, repository),
    commit_url: api,
    url: `${api}/status`,
  };
  return { status: 200, headers, body };
}
