import type { GitHub } from "../../ports/github.ts";
import { checkBody } from "./check-body.ts";
import { ownerAndRepo } from "./connection.ts";
import type { Connection } from "./connection.ts";

type Publishing = Pick<
  GitHub,
  "findComment" | "createComment" | "updateComment" | "createCheck" | "updateCheck" | "closeIssue"
>;

/** What people see on issues and pull requests. */
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
        return String((await client.rest.issues.createComment({ ...at, body })).data.id);
      }),
    updateComment: (repo, id, body) =>
      connection.call(repo, `edit comment ${id}`, async (client) => {
        const at = { ...ownerAndRepo(repo), comment_id: Number(id) };
        await client.rest.issues.updateComment({ ...at, body });
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
