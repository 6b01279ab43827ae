import type { User } from "../../model/account.ts";
import { identity } from "../../model/ids.ts";
import type { Issue } from "../../model/issue.ts";
import { invalid, Problem } from "../../model/problem.ts";
import type { PullRequest } from "../../model/pull-request.ts";
import { findLabel } from "../../model/repository.ts";
import type { Label, Repository } from "../../model/repository.ts";
import { announce, register, stamp } from "../../model/world.ts";
import type { World } from "../../model/world.ts";
import { record } from "./timeline.ts";

export interface NewLabel {
  readonly name: string;
  readonly color?: string;
  readonly description?: string | null;
  readonly actor: User;
}

export function createLabel(world: World, repository: Repository, wanted: NewLabel): Label {
  if (findLabel(repository, wanted.name) !== undefined) {
    throw invalid({ resource: "Label", code: "already_exists", field: "name" });
  }
  const label: Label = register(world, {
    kind: "label",
    ...identity(world, "LA"),
    repository,
    name: wanted.name,
    color: wanted.color ?? "ededed",
    description: wanted.description ?? null,
    isDefault: false,
  });
  repository.labels.push(label);
  announce(world, { name: "label", action: "created", label, sender: wanted.actor });
  return label;
}

/** Adds labels. Those that do not exist yet are created, as GitHub does. */
export function addLabels(
  world: World,
  thread: Issue | PullRequest,
  wanted: { readonly names: readonly string[]; readonly actor: User },
): void {
  for (const name of wanted.names) {
    const label =
      findLabel(thread.repository, name) ??
      createLabel(world, thread.repository, { name, actor: wanted.actor });
    if (thread.labels.includes(label)) continue;
    thread.labels = [...thread.labels, label];
    thread.updatedAt = stamp(world);
    record(world, thread, { actor: wanted.actor, what: { event: "labeled", label } });
    announceLabel(world, thread, { action: "labeled", label, sender: wanted.actor });
  }
}

export function removeLabel(
  world: World,
  thread: Issue | PullRequest,
  wanted: { readonly name: string; readonly actor: User },
): void {
  const label = findLabel(thread.repository, wanted.name);
  if (label === undefined || !thread.labels.includes(label)) {
    throw new Problem(404, "Label does not exist");
  }
  thread.labels = thread.labels.filter((other) => other !== label);
  thread.updatedAt = stamp(world);
  record(world, thread, { actor: wanted.actor, what: { event: "unlabeled", label } });
  announceLabel(world, thread, { action: "unlabeled", label, sender: wanted.actor });
}

export function replaceLabels(
  world: World,
  thread: Issue | PullRequest,
  wanted: { readonly names: readonly string[]; readonly actor: User },
): void {
  const keep = new Set(wanted.names.map((name) => name.toLowerCase()));
  for (const label of thread.labels) {
    if (keep.has(label.name.toLowerCase())) continue;
    removeLabel(world, thread, { name: label.name, actor: wanted.actor });
  }
  addLabels(world, thread, wanted);
}

function announceLabel(
  world: World,
  thread: Issue | PullRequest,
  event: {
    readonly action: "labeled" | "unlabeled";
    readonly label: Label;
    readonly sender: User;
  },
): void {
  if (thread.kind === "issue") announce(world, { name: "issues", issue: thread, ...event });
  else announce(world, { name: "pull_request", pull: thread, ...event });
}
