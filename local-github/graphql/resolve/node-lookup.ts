import type { Repository } from "../../model/repository.ts";
import type { Node } from "../../model/world.ts";
import { gitObjectById } from "./git-objects.ts";
import type { CommitName, RefName } from "./git-objects.ts";
import { unresolvableNode } from "./graphql-problem.ts";
import { canSee, canSeeBoards, canSeeProject } from "./viewer.ts";
import type { Viewer } from "./viewer.ts";

type Visible = Node | CommitName | RefName;

/** Finds the object that the id names, if the viewer may see it. */
export function visibleNode(viewer: Viewer, id: string): Visible {
  const node = viewer.world.nodes.get(id) ?? gitObjectById(viewer.world, id);
  if (!node || node.kind === "installation" || !isVisible(viewer, node)) {
    throw unresolvableNode(id);
  }
  return node;
}

/** Finds the object that a mutation works on. Its kind is checked here; the mutation itself checks the permission. */
export function nodeOf<Kind extends Node["kind"]>(
  viewer: Viewer,
  id: string,
  ...kinds: readonly Kind[]
): Extract<Node, { readonly kind: Kind }> {
  const node = viewer.world.nodes.get(id);
  if (!node || !isOneOf(node, kinds)) throw unresolvableNode(id);
  return node;
}

function isOneOf<Kind extends Node["kind"]>(
  node: Node,
  kinds: readonly Kind[],
): node is Extract<Node, { readonly kind: Kind }> {
  return (kinds as readonly string[]).includes(node.kind);
}

function isVisible(viewer: Viewer, node: Visible): boolean {
  if (node.kind === "project") return canSeeProject(viewer, node);
  if (node.kind === "project-field" || node.kind === "project-item") {
    return canSeeProject(viewer, node.project);
  }
  if (node.kind === "draft-issue") return canSeeBoards(viewer);
  const repository = repositoryOf(node);
  return repository === null || canSee(viewer, repository);
}

/** Finds the repository of an object; answers null when it belongs to none. */
function repositoryOf(node: Visible): Repository | null {
  if (node.kind === "repository") return node;
  if ("repository" in node) return node.repository;
  if ("on" in node) return node.on.repository;
  if ("pull" in node) return node.pull.repository;
  return "suite" in node ? node.suite.repository : null;
}
