import type { Thread } from "../../model/issue.ts";
import { invalid } from "../../model/problem.ts";

const MAX_TITLE = 256;
const MAX_BODY = 65_536;

interface Text {
  readonly title?: string | undefined;
  readonly body?: string | null | undefined;
}

/** Refuses a title or a text of an issue or pull request that is too long. */
export function refuseLongText(kind: Thread["kind"], { title, body }: Text): void {
  const resource = kind === "issue" ? "Issue" : "PullRequest";
  refuseLong({ resource, field: "title", text: title ?? "", max: MAX_TITLE });
  refuseLong({ resource, field: "body", text: body ?? "", max: MAX_BODY });
}

export function refuseLongComment(body: string): void {
  if (lengthOf(body) <= MAX_BODY) return;
  const message = `Body is too long (maximum is ${MAX_BODY} characters)`;
  throw invalid({ resource: "IssueComment", code: "unprocessable", field: "data", message });
}

interface Limited {
  readonly resource: string;
  readonly field: string;
  readonly text: string;
  readonly max: number;
}

function refuseLong({ resource, field, text, max }: Limited): void {
  if (lengthOf(text) <= max) return;
  const message = `${field} is too long (maximum is ${max} characters)`;
  throw invalid({ resource, field, code: "custom", message });
}

/** Counts what people take for characters, at most: a pair of surrogates is one. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}
