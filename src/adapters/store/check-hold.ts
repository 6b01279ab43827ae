import type { Transaction } from "kysely";
import type { Change } from "../../domain/change.ts";
import type { RepoName } from "../../domain/ids.ts";
import { holdsClaims } from "../../domain/task.ts";
import type { Tables } from "./tables.ts";

/** Why claims cannot be taken as things are: only a task at work holds any, and only for a run of its own that has not begun. */
export async function holdRefusal(
  trx: Transaction<Tables>,
  repo: RepoName,
  change: Change,
): Promise<string | undefined> {
  if (change.kind !== "claims-taken") return undefined;
  const { task, run } = change.hold;
  const tasks = trx.selectFrom("tasks").select("state").where("id", "=", task);
  const state = (await tasks.where("repo", "=", repo).executeTakeFirst())?.state;
  if (state === undefined || !holdsClaims(state)) return "the task is not at work";
  const runs = trx.selectFrom("runs").select("state").where("id", "=", run);
  const found = await runs.where("task", "=", task).executeTakeFirst();
  return found?.state === "queued" ? undefined : "the run is not a queued one of the task";
}
