import type { CheckButton, CheckReport, FileNote } from "../../ports/github.ts";
import { ownerAndRepo } from "./connection.ts";

type Conclusion = "success" | "failure" | "neutral";

interface Annotation {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly annotation_level: "warning";
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
  const { notes = [], buttons = [] } = report;
  return {
    ...ownerAndRepo(report.repo),
    name: report.name,
    head_sha: report.head,
    ...progressOf(report.status),
    output: {
      ...{ title: report.title, summary: report.summary },
      ...(notes.length > 0 && { annotations: annotationsOf(notes) }),
    },
    ...(buttons.length > 0 && { actions: [...buttons] }),
  };
}

/** About a file as a whole: its first line stands for it. */
function annotationsOf(notes: readonly FileNote[]): Annotation[] {
  return notes.slice(0, MOST_ANNOTATIONS).map(({ path, message }) => ({
    ...{ path, message, start_line: 1, end_line: 1, annotation_level: "warning" },
  }));
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
