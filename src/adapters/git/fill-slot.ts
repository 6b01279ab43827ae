import type { RepoName, Sha } from "../../domain/ids.ts";
import { checkOut } from "./check-out.ts";
import type { Slot } from "./layout.ts";
import { giveIndex, makeRepository } from "./make-repository.ts";
import type { MirrorGit } from "./mirror-git.ts";

/** Makes a slot with a worktree folder into a workspace at the base. */
export async function fillSlot(
  git: MirrorGit,
  slot: Slot,
  at: { readonly repo: RepoName; readonly base: Sha },
): Promise<void> {
  const work = [checkOut(git, slot, at), makeRepository(git, slot, at)];
  // Whoever cleans up after one of them failed must not meet the other still writing.
  await Promise.allSettled(work);
  await Promise.all(work);
  await giveIndex(slot);
}
