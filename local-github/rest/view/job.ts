import type { WorkflowJob } from "../../model/check.ts";
import type { World } from "../../model/world.ts";
import { repositoryApi, repositoryPage } from "./repository.ts";

export function jobView(world: World, { run, steps, ...job }: WorkflowJob) {
  const { repository, headSha, headBranch } = run.suite;
  const api = repositoryApi(world, repository);
  const page = `${repositoryPage(world, repository)}/actions/runs/${job.workflowRunId}`;
  return {
    id: run.id,
    run_id: job.workflowRunId,
    workflow_name: job.workflowName,
    head_branch: headBranch,
    run_url: `${api}/actions/runs/${job.workflowRunId}`,
    run_attempt: 1,
    node_id: run.nodeId,
    head_sha: headSha,
    url: `${api}/actions/jobs/${run.id}`,
    html_url: `${page}/job/${run.id}`,
    status: run.status,
    conclusion: run.conclusion,
    created_at: run.startedAt,
    started_at: run.startedAt,
    completed_at: run.completedAt,
    name: run.name,
    steps: steps.map((step) => ({
      name: step.name,
      status: "completed",
      conclusion: step.conclusion,
      number: step.number,
      started_at: step.startedAt,
      completed_at: step.completedAt,
    })),
    check_run_url: `${api}/check-runs/${run.id}`,
    labels: ["ubuntu-latest"],
    runner_id: 1,
    runner_name: "GitHub Actions 1",
    runner_group_id: 0,
    runner_group_name: "GitHub Actions",
  };
}
