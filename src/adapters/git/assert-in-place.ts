import { realpath, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { AppError } from "../../shared/app-error.ts";
import type { Layout, Slot } from "./layout.ts";

/** Refuses a worktree that is gone or was replaced by a link to somewhere else. */
export async function assertInPlace(layout: Layout, slot: Slot): Promise<void> {
  if (!(await isInPlace(layout, slot)))
    throw new AppError("git-failed", `workspace ${slot.tree} is gone or was replaced`);
}

export async function isInPlace(layout: Layout, slot: Slot): Promise<boolean> {
  const expected = join(await realpath(layout.workspaces), relative(layout.workspaces, slot.tree));
  const actual = await realpath(slot.tree).catch(() => undefined);
  return actual === expected && (await stat(actual)).isDirectory();
}
