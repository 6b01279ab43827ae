import type { User } from "../../model/account.ts";
import { identity } from "../../model/ids.ts";
import type { Thread } from "../../model/issue.ts";
import type { Repository } from "../../model/repository.ts";
import { stamp } from "../../model/world.ts";
import type { World } from "../../model/world.ts";

export interface NewThread {
  readonly title: string;
  readonly body?: string | null;
  readonly actor: User;
}

/** Makes the part that issues and pull requests share, with the next number of the repository. */
export function newThread<Kind extends Thread["kind"]>(
  world: World,
  repository: Repository,
  wanted: NewThread & { readonly kind: Kind },
): Thread & { readonly kind: Kind } {
  repository.lastNumber += 1;
  return {
    kind: wanted.kind,
    ...identity(world, wanted.kind === "issue" ? "I" : "PR"),
    repository,
    number: repository.lastNumber,
    author: wanted.actor,
    title: wanted.title,
    body: wanted.body ?? null,
    state: "open",
    closedAt: null,
    closedBy: null,
    labels: [],
    assignees: [],
    comments: [],
    timeline: [],
    createdAt: stamp(world),
    updatedAt: stamp(world),
    editedAt: null,
    editor: null,
    edits: [],
  };
}
