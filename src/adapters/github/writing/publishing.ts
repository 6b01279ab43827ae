import type { CheckButton, CheckReport, GitHub } from "../../../ports/github.ts";
import { ownerAndRepo } from "../connection/connection.ts";
import type { Connection } from "../connection/connection.ts";
import { fittingText } from "./fitting-text.ts";

type Publishing = Pick<
  GitHub,
  | "findComment"
  | "createComment"
  | "updateComment"
  | "findCheck"
  | "createCheck"
  | "updateCheck"
  | "closeIssue"
>;

type Conclusion = "success" | "failure" | "neutral";

interface Annotation {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly annotation_level: "warning" | "failure";
  readonly message: string;
}

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

/** GitHub takes no more annotations with one request. */
const MAX_ANNOTATIONS = 50;

/** Writes the comments and checks that people see on issues and pull requests. */
export function createPublishing(connection: Connection): Publishing {
  return {
    findComment: (repo, issue, marker) =>
      connection.call(repo, `read the comments of issue ${issue}`, async (client) => {
        const at = { ...ownerAndRepo(repo), issue_number: issue, per_page: 100 };
        const comments = await client.paginate(client.rest.issues.listComments, at);
        const own = comments.find(
          ({ body, user }) => user?.type === "Bot" && body?.includes(marker) === true,
        );
        return own === undefined ? undefined : String(own.id);
      }),
    createComment: (repo, issue, body) =>
      connection.call(repo, `comment on issue ${issue}`, async (client) => {
        const at = { ...ownerAndRepo(repo), issue_number: issue };
        return String(
          (await client.rest.issues.createComment({ ...at, body: fittingText(body) })).data.id,
        );
      }),
    updateComment: (repo, id, body) =>
      connection.call(repo, `edit comment ${id}`, async (client) => {
        const at = { ...ownerAndRepo(repo), comment_id: Number(id) };
        await client.rest.issues.updateComment({ ...at, body: fittingText(body) });
      }),
    findCheck: ({ repo, head, name }) =>
      connection.call(repo, `read the check runs of ${head}`, async (client) => {
        const login = await connection.botLogin();
        const at = { ...ownerAndRepo(repo), ref: head, check_name: name, per_page: 100 };
        const { data } = await client.rest.checks.listForRef(at);
        const own = data.check_runs.filter(({ app }) => `${app?.slug ?? ""}[bot]` === login);
        return own.length === 0 ? undefined : String(Math.max(...own.map(({ id }) => id)));
      }),
    createCheck: (report) =>
      connection.call(report.repo, "create a check run", async (client) =>
        String((await client.rest.checks.create(checkBody(report))).data.id),
      ),
    updateCheck: (id, report) =>
      connection.call(report.repo, `update check run ${id}`, async (client) => {
        await client.rest.checks.update({ ...checkBody(report), check_run_id: Number(id) });
      }),
    closeIssue: (repo, issue) =>
      connection.call(repo, `close issue ${issue}`, async (client) => {
        const at = { ...ownerAndRepo(repo), issue_number: issue };
        await client.rest.issues.update({ ...at, state: "closed", state_reason: "completed" });
      }),
  };
}

function checkBody(report: CheckReport): CheckBody {
  const { buttons = [] } = report;
  const found = annotationsOf(report);
  return {
    ...ownerAndRepo(report.repo),
    name: report.name,
    head_sha: report.head,
    ...progressOf(report.status),
    output: {
      title: report.title,
      summary: fittingText(`${report.summary}${leftOut(found.length)}`),
      ...(found.length > 0 && { annotations: found.slice(0, MAX_ANNOTATIONS) }),
    },
    ...(buttons.length > 0 && { actions: [...buttons] }),
  };
}

function leftOut(count: number): string {
  if (count <= MAX_ANNOTATIONS) return "";
  return `\n\nThe first ${MAX_ANNOTATIONS} of ${count} places are marked in the files.`;
}

/** A note about a whole file is put at its first line. */
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

/** GitHub completes a check run when it gets a conclusion. The status is only for runs that are under way. */
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
