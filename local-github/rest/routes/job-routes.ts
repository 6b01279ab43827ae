import { linkToLog } from "../../actions/workflow-jobs.ts";
import { notFound } from "../../model/problem.ts";
import type { WorkflowJob } from "../../model/check.ts";
import { repoRoute } from "../request/route.ts";
import type { RepoCall, Route } from "../request/route.ts";
import { jobView } from "../view/job.ts";

export const JOB_ROUTES: readonly Route[] = [
  repoRoute("GET", "/actions/jobs/{job_id}", {
    needs: "actions=read",
    answer: (call) => ({ status: 200, body: jobView(call.world, jobIn(call)) }),
  }),
  repoRoute("GET", "/actions/jobs/{job_id}/logs", {
    needs: "actions=read",
    answer: (call) => ({
      status: 302,
      headers: { location: linkToLog(call.world, jobIn(call)) },
    }),
  }),
];

function jobIn({ world, repository, params }: RepoCall): WorkflowJob {
  const job = world.jobs.get(Number(params["job_id"]));
  if (job?.run.suite.repository !== repository) throw notFound();
  return job;
}
