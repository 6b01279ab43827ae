import type { RepoConfig } from "../../config/schema.ts";
import type { ColumnRole } from "../../domain/board.ts";
import type { RepoName } from "../../domain/ids.ts";
import { httpFailureOf } from "./classify.ts";
import { ownerAndRepo } from "./connection.ts";
import type { Connection } from "./connection.ts";
import { labelNames } from "../../config/label-names.ts";

/** Colours and texts that GitHub shows beside the label. */
const LOOKS: Readonly<
  Record<ColumnRole, { readonly color: string; readonly description: string }>
> = {
  ready: { color: "0e8a16", description: "Work to do" },
  running: { color: "fbca04", description: "A run is at work" },
  review: { color: "1d76db", description: "A pull request waits for a person" },
  queued: { color: "5319e7", description: "Approved; in the train" },
  done: { color: "cccccc", description: "Landed" },
  blocked: { color: "b60205", description: "Cannot be planned or was given up" },
};

/** Makes the label of a role and returns its node id; one that somebody made meanwhile is as good. */
export function createLabel(
  connection: Connection,
  repo: RepoName,
  { board, role }: { readonly board: RepoConfig["board"]; readonly role: ColumnRole },
): Promise<string> {
  const name = labelNames(board)[role];
  const at = { ...ownerAndRepo(repo), name };
  return connection.call(repo, `create the label ${name}`, async (client) => {
    try {
      return (await client.rest.issues.createLabel({ ...at, ...LOOKS[role] })).data.node_id;
    } catch (error) {
      if (httpFailureOf(error)?.status !== 422) throw error;
      return (await client.rest.issues.getLabel(at)).data.node_id;
    }
  });
}
