import type { User } from "../../model/account.ts";
import type { TextChanges } from "../../model/event.ts";
import { threadKey } from "../../model/find.ts";
import { identity } from "../../model/ids.ts";
import type { ContentEdit, Issue, StateReason, Thread } from "../../model/issue.ts";
import type { Repository } from "../../model/repository.ts";
import { announce, register, stamp } from "../../model/world.ts";
import type { World } from "../../model/world.ts";
import { addLabels } from "./labels.ts";
import { newThread } from "./new-thread.ts";
import type { NewThread } from "./new-thread.ts";
import { refuseLongText } from "./text-limits.ts";
import { record } from "./timeline.ts";

export interface NewIssue extends NewThread {
  readonly labels?: readonly string[];
}

export function openIssue(world: World, repository: Repository, wanted: NewIssue): Issue {
  refuseLongText("issue", wanted);
  const issue: Issue = register(world, {
    ...newThread(world, repository, { ...wanted, kind: "issue" }),
    stateReason: null,
    blockedBy: [],
    parent: null,
    subIssues: [],
  });
  world.threads.set(threadKey(repository, issue.number), issue);
  announce(world, { name: "issues", action: "opened", issue, sender: wanted.actor });
  addLabels(world, issue, { names: wanted.labels ?? [], actor: wanted.actor });
  return issue;
}

export interface TextEdit {
  readonly title?: string;
  readonly body?: string | null;
  readonly actor: User;
}

export function editIssue(world: World, issue: Issue, edit: TextEdit): void {
  const changes = editText(world, issue, edit);
  if (changes === undefined) return;
  announce(world, { name: "issues", action: "edited", issue, changes, sender: edit.actor });
}

/** Changes title and body; answers undefined when they are the same as before. */
export function editText(world: World, thread: Thread, edit: TextEdit): TextChanges | undefined {
  refuseLongText(thread.kind, edit);
  const { title = thread.title, body = thread.body } = edit;
  const before = { title: thread.title, body: thread.body };
  if (title === before.title && body === before.body) return undefined;
  thread.title = title;
  thread.body = body;
  thread.updatedAt = stamp(world);
  if (body !== before.body) {
    thread.editedAt = thread.updatedAt;
    thread.editor = edit.actor;
    keepVersion(world, thread, { before: before.body, editor: edit.actor });
  }
  if (title !== before.title) {
    const what = { event: "renamed", from: before.title, to: title } as const;
    record(world, thread, { actor: edit.actor, what });
  }
  return {
    ...(title === before.title ? {} : { title: { from: before.title } }),
    ...(body === before.body ? {} : { body: { from: before.body ?? "" } }),
  };
}

/** Keeps the new version of the body. The first edit also records the body as it was opened. */
function keepVersion(
  world: World,
  thread: Thread,
  { before, editor }: { readonly before: string | null; readonly editor: User },
): void {
  const keep = (edit: Omit<ContentEdit, "kind" | "nodeId">): void => {
    thread.edits.push({ kind: "content-edit", nodeId: identity(world, "UCE").nodeId, ...edit });
  };
  const { author, createdAt, body } = thread;
  if (thread.edits.length === 0) keep({ editor: author, editedAt: createdAt, body: before ?? "" });
  keep({ editor, editedAt: thread.updatedAt, body: body ?? "" });
}

export interface Closing {
  readonly actor: User;
  readonly reason?: StateReason;
  /** This commit closed the issue, when a keyword did. */
  readonly commitSha?: string;
}

export function closeIssue(world: World, issue: Issue, closing: Closing): void {
  if (issue.state === "closed") return;
  const reason = closing.reason ?? "completed";
  issue.stateReason = reason;
  shut(world, issue, closing.actor);
  record(world, issue, {
    actor: closing.actor,
    what: { event: "closed", reason, commitSha: closing.commitSha ?? null },
  });
  announce(world, { name: "issues", action: "closed", issue, sender: closing.actor });
}

export function reopenIssue(world: World, issue: Issue, actor: User): void {
  if (issue.state === "open") return;
  issue.stateReason = "reopened";
  unshut(world, issue);
  record(world, issue, { actor, what: { event: "reopened", reason: "reopened" } });
  announce(world, { name: "issues", action: "reopened", issue, sender: actor });
}

/** Makes the change of state that issues and pull requests share. */
export function shut(world: World, thread: Thread, actor: User): void {
  thread.state = "closed";
  thread.closedAt = stamp(world);
  thread.closedBy = actor;
  thread.updatedAt = thread.closedAt;
}

export function unshut(world: World, thread: Thread): void {
  thread.state = "open";
  thread.closedAt = null;
  thread.closedBy = null;
  thread.updatedAt = stamp(world);
}
