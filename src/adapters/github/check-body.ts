import type { CheckReport } from "../../ports/github.ts";
import { ownerAndRepo } from "./connection.ts";

type Conclusion = "success" | "failure" | "neutral";

type Annotation = {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly annotation_level: "failure";
  readonly message: string;
};

/** GitHub takes no more in one call. */
const MOST_ANNOTATIONS = 50;

type CheckBody = {
  readonly owner: string;
  readonly repo: string;
  readonly name: string;
  readonly head_sha: string;
  readonly status?: "queued" | "in_progress";
  readonly conclusion?: Conclusion;
  readonly output: {
    readonly title: string;
    readonly summary: string;
    readonly annotations?: Annotation[];
  };
};

export function checkBody(report: CheckReport): CheckBody {
  return {
    ...ownerAndRepo(report.repo),
    name: report.name,
    head_sha: report.head,
    ...progressOf(report.status),
    output: {
      title: report.title,
      summary: report.summary,
      ...(report.annotations !== undefined && {
        annotations: report.annotations.slice(0, MOST_ANNOTATIONS).map(annotationOf),
      }),
    },
  };
}

function annotationOf({
  path,
  line,
  message,
}: NonNullable<CheckReport["annotations"]>[number]): Annotation {
  return { path, start_line: line, end_line: line, annotation_level: "failure", message };
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
