import { realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import { AppError } from "../../shared/app-error.ts";
import type { Layout, Slot } from "./layout.ts";

/** Refuses a worktree that is gone or was replaced by a link to somewhere else. */
export async function assertInPlace(layout: Layout, slot: Slot): Promise<void> {
  const expected = join(await realpath(layout.workspaces), relative(layout.workspaces, slot.tree));
  const actual = await realpath(slot.tree).catch(() => undefined);
  if (actual !== expected)
    throw new AppError("git-failed", `workspace ${slot.tree} is gone or was replaced`);
}
