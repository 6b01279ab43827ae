import type { CheckReport } from "../../ports/github.ts";
import { ownerAndRepo } from "./connection.ts";

type Conclusion = "success" | "failure" | "neutral";

type CheckBody = {
  readonly owner: string;
  readonly repo: string;
  readonly name: string;
  readonly head_sha: string;
  readonly status?: "queued" | "in_progress";
  readonly conclusion?: Conclusion;
  readonly output: { readonly title: string; readonly summary: string };
};

export function checkBody(report: CheckReport): CheckBody {
  return {
    ...ownerAndRepo(report.repo),
    name: report.name,
    head_sha: report.head,
    ...progressOf(report.status),
    output: { title: report.title, summary: report.summary },
  };
}

/** GitHub completes a check run when it is given a conclusion; status is for the ones under way. */
function progressOf(status: CheckReport["status"]): Pick<CheckBody, "status" | "conclusion"> {
  switch (status) {
    case "queued":
      return { status: "queued" };
    case "in-progress":
      return { status: "in_progress" };
    case "success":
    case "failure":
    case "neutral":
      return { conclusion: status };
  }
}
