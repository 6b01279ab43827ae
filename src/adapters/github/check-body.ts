import type { CheckButton, CheckReport } from "../../ports/github.ts";
import { ownerAndRepo } from "./connection.ts";

type Conclusion = "success" | "failure" | "neutral";

interface Annotation {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly annotation_level: "warning" | "failure";
  readonly message: string;
}

/** GitHub takes no more with one request. */
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
  readonly actions?: CheckButton[];
};

export function checkBody(report: CheckReport): CheckBody {
  const { buttons = [] } = report;
  const found = annotationsOf(report);
  return {
    ...ownerAndRepo(report.repo),
    name: report.name,
    head_sha: report.head,
    ...progressOf(report.status),
    output: {
      ...{ title: report.title, summary: report.summary },
      ...(found.length > 0 && { annotations: found.slice(0, MOST_ANNOTATIONS) }),
    },
    ...(buttons.length > 0 && { actions: [...buttons] }),
  };
}

/** What is about a file as a whole has its first line stand for it. */
function annotationsOf({ notes = [], annotations = [] }: CheckReport): Annotation[] {
  const at = (line: number) => ({ start_line: line, end_line: line });
  return [
    ...annotations.map(({ path, line, message }): Annotation => {
      return { path, message, ...at(line), annotation_level: "failure" };
    }),
    ...notes.map(({ path, message }): Annotation => {
      return { path, message, ...at(1), annotation_level: "warning" };
    }),
  ];
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
