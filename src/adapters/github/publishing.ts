import type { GitHub } from "../../ports/github.ts";
import { checkBody } from "./check-body.ts";
import { ownerAndRepo } from "./connection.ts";
import type { Connection } from "./connection.ts";

type Publishing = Pick<
  GitHub,
  "createComment" | "updateComment" | "createCheck" | "updateCheck" | "closeIssue"
>;

/** What people see on issues and pull requests. */
export function createPublishing(connection: Connection): Publishing {
  return {
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
