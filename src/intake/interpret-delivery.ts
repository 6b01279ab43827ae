import * as z from "zod";
import { parseCommand } from "../commands/parse-command.ts";
import { isRepoName, ownerOf } from "../domain/ids.ts";
import type { Instant, RepoName } from "../domain/ids.ts";
import { OUR_BRANCHES } from "../domain/markers.ts";
import type { Delivery, Signal, SignalSubject } from "../domain/signal.ts";

export function signalFromDelivery(delivery: Delivery, receivedAt: Instant): Signal | undefined {
  const { id, name, payload } = delivery;
  const repo = repoOf(payload.repository?.full_name);
  const owner = repo === undefined ? accountOf(payload) : ownerOf(repo);
  if (owner === undefined) return undefined;
  const action = typeof payload.action === "string" ? payload.action : undefined;
  const signal = { deliveryId: id, event: name, action, owner, repo, receivedAt };
  const subject = subjectOf(delivery);
  return subject === undefined ? signal : { ...signal, subject, actor: actorOf(payload) };
}

/** Finds where a person gave a command. Most comments hold none and cost nothing: a tick reads only those that look like one. */
export function subjectOf({ name, payload }: Delivery): SignalSubject | undefined {
  if (name === "issue_comment" && payload.action === "created") {
    const said = comment.safeParse(payload.comment);
    if (!said.success || parseCommand(said.data.body) === undefined) return undefined;
    return { kind: "comment", comment: String(said.data.id) };
  }
  if (name === "check_run" && payload.action === "requested_action") {
    const pressed = press.safeParse(payload);
    if (!pressed.success) return undefined;
    const { check_run: check, requested_action: action } = pressed.data;
    return { kind: "button", head: check.head_sha, button: action.identifier };
  }
  return payload.action === "rerequested" ? rerunOf(payload) : undefined;
}

/** Pressing "Re-run" on our check, or on all our checks of a commit, says the same as the button for another attempt. */
function rerunOf(payload: Delivery["payload"]): SignalSubject | undefined {
  const { check_run: check, check_suite: suite } = rerun.parse(payload);
  const head = check?.head_sha ?? suite?.head_sha;
  return head === undefined ? undefined : { kind: "button", head, button: "retry" };
}

/** Returns the ids by which the card of a board's event may be known: its own and its issue's. */
export function cardIdsOf({ name, payload }: Delivery): readonly string[] {
  if (name !== "projects_v2_item") return [];
  const { data } = card.safeParse(payload.projects_v2_item);
  return data === undefined ? [] : [data.node_id, data.content_node_id];
}

/** Says whether a signal is worth a tick. Most comments, and most checks of other apps, are not. */
export function isNews({ event, subject }: Signal): boolean {
  return subject !== undefined || !CHATTER.has(event);
}

const CHATTER: ReadonlySet<string> = new Set(["issue_comment", "check_run", "status"]);

/**
 * Says whether a delivery tells only of the app's own write: it is stored like any signal but wakes nobody. Events of GitHub's merge
 * queue name the app as their sender although the queue acts on its own, so they are no echo.
 */
export function isEcho({ name, payload }: Delivery, botLogin: string): boolean {
  return payload.sender?.login === botLogin && name !== "merge_group";
}

/** This is what a check of others, or a status, says of a commit in the end. */
export interface CheckResult {
  readonly head: string;
  readonly name: string;
  readonly isBad: boolean;
  /** The commit is the head of a branch of ours. */
  readonly isOurs: boolean;
}

/** Returns undefined for everything else: checks come by the hundred, and most are not worth a tick. */
export function checkResultOf({ name, payload }: Delivery): CheckResult | undefined {
  if (name === "status") return statusResult(payload);
  if (name !== "check_run" || payload.action !== "completed") return undefined;
  const { data } = endedCheck.safeParse(payload);
  if (data === undefined) return undefined;
  const { head_sha: head, name: check, conclusion, pull_requests: pulls } = data.check_run;
  const isOurs = pulls.some((pull) => pull.head.ref.startsWith(OUR_BRANCHES));
  return { head, name: check, isBad: BAD.has(conclusion ?? ""), isOurs };
}

function statusResult(payload: Delivery["payload"]): CheckResult | undefined {
  const { data } = endedStatus.safeParse(payload);
  if (data === undefined) return undefined;
  const isOurs = data.branches.some((branch) => branch.name.startsWith(OUR_BRANCHES));
  return { head: data.sha, name: data.context, isBad: data.state !== "success", isOurs };
}

const BAD: ReadonlySet<string> = new Set(["failure", "timed_out", "startup_failure"]);

/** Says whether a push may have changed the file on the default branch. Where the payload cannot tell, the answer is yes. */
export function touchesConfig(event: string, payload: object, path: string): boolean {
  if (event !== "push") return false;
  const { data } = push.safeParse(payload);
  if (data === undefined) return true;
  const { ref, repository, commits, forced } = data;
  const branch = repository?.default_branch;
  if (ref !== undefined && branch !== undefined && ref !== `refs/heads/${branch}`) return false;
  if (forced || commits.length >= MAX_COMMITS) return true;
  return commits.some(({ added, modified, removed }) =>
    [added, modified, removed].some((names) => names.includes(path)),
  );
}

const card = z.object({ node_id: z.string(), content_node_id: z.string() });
const comment = z.object({ id: z.int(), body: z.string() });
const press = z.object({
  check_run: z.object({ head_sha: z.string() }),
  requested_action: z.object({ identifier: z.string() }),
});

const commit = z.object({ head_sha: z.string() }).optional().catch(undefined);
const rerun = z.object({ check_run: commit, check_suite: commit });

const endedCheck = z.object({
  check_run: z.object({
    head_sha: z.string(),
    name: z.string(),
    conclusion: z.string().nullable(),
    pull_requests: z.array(z.object({ head: z.object({ ref: z.string() }) })),
  }),
});

const endedStatus = z.object({
  sha: z.string(),
  context: z.string(),
  state: z.enum(["success", "failure", "error"]),
  branches: z.array(z.object({ name: z.string() })),
});

/** GitHub lists no more commits of a push than this and does not tell of the rest. */
const MAX_COMMITS = 2048;

const paths = z.array(z.string()).default([]);

/** This is the part of a push that tells which files it changed. */
const push = z.object({
  ref: z.string().optional(),
  repository: z.object({ default_branch: z.string().optional() }).nullish(),
  commits: z.array(z.object({ added: paths, modified: paths, removed: paths })).default([]),
  forced: z.boolean().default(false),
});

/** Rejects a name that is no repository name. The signal is kept all the same if its owner is known. */
function repoOf(fullName: unknown): RepoName | undefined {
  return typeof fullName === "string" && isRepoName(fullName) ? fullName : undefined;
}

/** Board events name their organization, installation events their account, as does the renaming of an account. */
function accountOf({
  organization,
  installation,
  ...payload
}: Delivery["payload"]): string | undefined {
  if (organization?.login !== undefined) return organization.login;
  if (typeof payload.account?.login === "string") return payload.account.login;
  return loginIn(installation);
}

function loginIn(installation: Delivery["payload"]["installation"]): string | undefined {
  if (!installation || !("account" in installation)) return undefined;
  const { account } = installation;
  if (typeof account !== "object" || account === null || !("login" in account)) return undefined;
  return typeof account.login === "string" ? account.login : undefined;
}

function actorOf({ sender }: Delivery["payload"]): string | undefined {
  return typeof sender?.login === "string" ? sender.login : undefined;
}
