import type { Label } from "../../model/repository.ts";
import type { World } from "../../model/world.ts";
import { repositoryApi } from "./repository.ts";

export function labelView(world: World, label: Label) {
  const api = repositoryApi(world, label.repository);
  return {
    id: label.id,
    node_id: label.nodeId,
    url: `${api}/labels/${encodeURIComponent(label.name)}`,
    name: label.name,
    description: label.description,
    color: label.color,
    default: label.isDefault,
  };
}
