import type { Reaction, ReactionContent } from "../../model/issue.ts";
import type { World } from "../../model/world.ts";
import { accountView } from "./account.ts";

export const REACTIONS: readonly ReactionContent[] = [
  ...(["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"] as const),
];

/** Shows no reactions: issues and pull requests themselves get none here, but the members are required. */
export function noReactions(url: string) {
  return reactionsView(url, []);
}

export function reactionsView(url: string, reactions: readonly Reaction[]) {
  const counts = REACTIONS.map((content) => [
    content,
    reactions.filter((one) => one.content === content).length,
  ]);
  return {
    url: `${url}/reactions`,
    total_count: reactions.length,
    ...(Object.fromEntries(counts) as Record<ReactionContent, number>),
  };
}

export function reactionView(world: World, reaction: Reaction) {
  return {
    id: reaction.id,
    node_id: reaction.nodeId,
    user: accountView(world, reaction.user),
    content: reaction.content,
    created_at: reaction.createdAt,
  };
}
