import { git } from "../git/git.ts";
import { oneAtATime } from "../git/one-at-a-time.ts";
import { updateRefs } from "../git/refs.ts";
import type { User } from "../model/account.ts";
import { pullsOf } from "../model/find.ts";
import { Problem } from "../model/problem.ts";
import { branchSha } from "../model/repository.ts";
import type { Repository } from "../model/repository.ts";
import { announce } from "../model/world.ts";
import type { World } from "../model/world.ts";

/** Gives a branch another name. Open pull requests into it follow, and a default branch stays the default. */
export async function renameBranch(
  world: World,
  repository: Repository,
  { from, to, actor }: { readonly from: string; readonly to: string; readonly actor: User },
): Promise<void> {
  await oneAtATime(repository, async () => {
    const sha = branchSha(repository, from);
    if (sha === undefined) throw new Problem(404, "Branch not found");
    const [old, fresh] = [`refs/heads/${from}`, `refs/heads/${to}`];
    const updates = [
      { name: fresh, before: null, after: sha },
      { name: old, before: sha, after: null },
    ];
    if (!(await updateRefs(repository.dir, updates))) throw new Problem(422, "Branch exists");
    repository.refs.delete(old);
    repository.refs.set(fresh, sha);
    if (repository.defaultBranch === from) {
      repository.defaultBranch = to;
      await git(repository.dir, ["symbolic-ref", "HEAD", fresh]);
    }
    retarget(world, repository, { from, to, actor });
  });
}

function retarget(
  world: World,
  repository: Repository,
  { from, to, actor }: { readonly from: string; readonly to: string; readonly actor: User },
): void {
  for (const pull of pullsOf(world, repository)) {
    if (pull.state !== "open" || pull.baseRef !== from) continue;
    pull.baseRef = to;
    const base = { ref: { from }, sha: { from: pull.baseSha } };
    const changes = { base };
    announce(world, { name: "pull_request", action: "edited", pull, changes, sender: actor });
  }
}
