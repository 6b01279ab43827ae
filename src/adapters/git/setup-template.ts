import { lstat, mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { RepoName } from "../../domain/ids.ts";
import { copyTree } from "./copy-tree.ts";
import { isMissing } from "./is-missing.ts";
import type { Slot } from "./layout.ts";
import type { MirrorGit } from "./mirror-git.ts";
import type { Untouched } from "./prune-tree.ts";

/** What a setup command made, copied before any runner could touch it. */
export interface Template {
  readonly key: string;
  readonly root: string;
}

export type Kept =
  | { readonly kind: "template"; readonly template: Template }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "none" };

/** `tree` with the files, or `refused` with the reason why there are none. */
export async function findTemplate(git: MirrorGit, repo: RepoName, key: string): Promise<Kept> {
  const template = { key, root: join(git.layout.setups(repo), key) };
  const [tree, reason] = await Promise.all([
    lstat(join(template.root, "tree")).catch(() => undefined),
    textOf(join(template.root, "refused")),
  ]);
  if (tree !== undefined) return { kind: "template", template };
  return reason === undefined ? { kind: "none" } : { kind: "refused", reason };
}

/** The template that a workspace's ignored files come from. */
export async function templateOf(
  git: MirrorGit,
  slot: Slot,
  repo: RepoName,
): Promise<Template | undefined> {
  const key = await textOf(slot.setup);
  const kept = key === undefined ? undefined : await findTemplate(git, repo, key);
  return kept?.kind === "template" ? kept.template : undefined;
}

/** The template's files as they are in the workspace, if nothing happened to them since the note was written. */
export async function untouchedSince(template: Template, slot: Slot): Promise<Untouched> {
  const tree = join(template.root, "tree");
  const entries = await readdir(tree, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(tree, join(entry.parentPath, entry.name)));
  const { mtimeMs } = await lstat(slot.setup);
  // Strictly before: what a run did in the very moment of the note counts as done by the run.
  return { files, since: mtimeMs - 0.001 };
}

/** Gives the workspace what is missing of the template, and notes where it comes from. */
export async function fillFromTemplate(template: Template, slot: Slot): Promise<void> {
  const now = new Date();
  // How long a template was not used decides when it goes.
  await utimes(template.root, now, now);
  await mkdir(slot.tree, { recursive: true });
  for (const name of await readdir(join(template.root, "tree")))
    await copyTree(join(template.root, "tree", name), join(slot.tree, name));
  await noteSetup(slot, template.key);
}

export async function noteSetup(slot: Slot, key: string): Promise<void> {
  await writeFile(slot.setup, key);
}

export async function textOf(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}
