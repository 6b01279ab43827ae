import type { User } from "../../model/account.ts";
import { identity } from "../../model/ids.ts";
import type { Comment, Reaction, ReactionContent, Issue } from "../../model/issue.ts";
import type { PullRequest } from "../../model/pull-request.ts";
import { announce, register, stamp } from "../../model/world.ts";
import type { World } from "../../model/world.ts";
import { refuseLongComment } from "./text-limits.ts";
import { record } from "./timeline.ts";

interface Words {
  readonly body: string;
  readonly actor: User;
}

export function addComment(world: World, thread: Issue | PullRequest, words: Words): Comment {
  refuseLongComment(words.body);
  const comment: Comment = register(world, {
    kind: "comment",
    ...identity(world, "IC"),
    author: words.actor,
    on: thread,
    body: words.body,
    createdAt: stamp(world),
    updatedAt: stamp(world),
    reactions: [],
  });
  thread.comments.push(comment);
  thread.updatedAt = comment.createdAt;
  record(world, thread, { actor: words.actor, what: { event: "commented", comment } });
  announce(world, { name: "issue_comment", action: "created", comment, sender: words.actor });
  return comment;
}

/** The same reaction of the same person counts once. */
export function react(
  world: World,
  comment: Comment,
  { content, actor }: { readonly content: ReactionContent; readonly actor: User },
): { readonly reaction: Reaction; readonly fresh: boolean } {
  const present = comment.reactions.find((one) => one.user === actor && one.content === content);
  if (present !== undefined) return { reaction: present, fresh: false };
  const reaction = { ...identity(world, "RE"), user: actor, content, createdAt: stamp(world) };
  comment.reactions.push(reaction);
  return { reaction, fresh: true };
}

export function editComment(world: World, comment: Comment, words: Words): void {
  refuseLongComment(words.body);
  const previous = comment.body;
  comment.body = words.body;
  comment.updatedAt = stamp(world);
  announce(world, {
    name: "issue_comment",
    action: "edited",
    comment,
    previous,
    sender: words.actor,
  });
}

export function deleteComment(world: World, comment: Comment, actor: User): void {
  const { comments, timeline } = comment.on;
  comments.splice(comments.indexOf(comment), 1);
  const at = timeline.findIndex(
    ({ what }) => what.event === "commented" && what.comment === comment,
  );
  if (at >= 0) timeline.splice(at, 1);
  world.nodes.delete(comment.nodeId);
  announce(world, { name: "issue_comment", action: "deleted", comment, sender: actor });
}
