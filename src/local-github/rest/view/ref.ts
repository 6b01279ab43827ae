import type { Repository } from "../../model/repository.ts";
import type { World } from "../../model/world.ts";
import { repositoryApi } from "./repository.ts";

export function refView(
  world: World,
  repository: Repository,
  { name, sha }: { readonly name: string; readonly sha: string },
) {
  const api = repositoryApi(world, repository);
  return {
    ref: name,
    node_id: `REF_${Buffer.from(`${repository.id}:${name}`).toString("base64url")}`,
    url: `${api}/git/${name}`,
    object: { sha, type: "commit", url: `${api}/git/commits/${sha}` },
  };
}
