import { rm, writeFile } from "node:fs/promises";
import type { SetupOutcome, SetupRequest, Workspace } from "../../ports/git.ts";
import { keepSetup } from "./keep-setup.ts";
import { removeUntracked } from "./list-untracked.ts";
import type { MirrorGit } from "./mirror-git.ts";
import { renewWorkspace } from "./open-workspace.ts";
import { setupKey } from "./setup-key.ts";
import { fillFromTemplate, findTemplate, textOf, type Template } from "./setup-template.ts";

interface Setup extends SetupRequest {
  readonly git: MirrorGit;
  readonly workspace: Workspace;
}

/** Once prepared, a workspace belongs to its runner: neither setup nor a copy of it touches it again, also after a restart. */
export async function provideSetup(
  git: MirrorGit,
  workspace: Workspace,
  request: SetupRequest,
): Promise<SetupOutcome> {
  const slot = git.layout.slot(workspace.repo, workspace.id);
  if ((await textOf(slot.stage)) === "prepared") return { kind: "reused" };
  const outcome = await provide({ ...request, git, workspace });
  if (outcome.kind !== "failed") await writeFile(slot.stage, "prepared");
  return outcome;
}

async function provide(setup: Setup): Promise<SetupOutcome> {
  const { git, workspace, inputs } = setup;
  const key = inputs === undefined ? undefined : await setupKey(git, workspace, inputs);
  const { setup: note } = git.layout.slot(workspace.repo, workspace.id);
  const present = await textOf(note);
  if (present !== undefined && present === key) return { kind: "reused" };
  if (present !== undefined) {
    await rm(note);
    await removeUntracked(git, workspace);
  }
  if (key === undefined) return make(setup);
  const known = await findTemplate(git, workspace.repo, key);
  if (known.kind === "template") return reuse(setup, known.template);
  if (known.kind === "refused" || !setup.mayKeep) return make(setup);
  return (await takeTurn(setup, key)) ?? make(setup);
}

/** Several runs begin at once with the same lockfile: the first runs setup, the others wait for it and get a copy. */
async function takeTurn(setup: Setup, key: string): Promise<SetupOutcome | undefined> {
  const { git, workspace, signal } = setup;
  let begun = false;
  const turn = git.serialize(`setup ${workspace.repo} ${key}`, async () => {
    begun = true;
    if (signal.aborted) return undefined;
    const known = await findTemplate(git, workspace.repo, key);
    if (known.kind === "template") return reuse(setup, known.template);
    return known.kind === "refused" ? undefined : makeAndKeep(setup, key);
  });
  const stopped = new Promise<undefined>((resolve) => {
    const stopWaiting = (): void => {
      // Once setup runs it ends by itself: nobody may leave a workspace in which processes are at work.
      if (!begun) resolve(undefined);
    };
    signal.addEventListener("abort", stopWaiting, { once: true });
    if (signal.aborted) stopWaiting();
  });
  return Promise.race([turn, stopped]);
}

async function reuse({ git, workspace }: Setup, template: Template): Promise<SetupOutcome> {
  await fillFromTemplate(template, git.layout.slot(workspace.repo, workspace.id));
  return { kind: "reused" };
}

async function make(setup: Setup): Promise<SetupOutcome> {
  return (await setup.make()) ? { kind: "made", notKept: undefined } : { kind: "failed" };
}

async function makeAndKeep(setup: Setup, key: string): Promise<SetupOutcome> {
  await renewWorkspace(setup.git, setup.workspace);
  const made = await make(setup);
  if (made.kind !== "made") return made;
  return { kind: "made", notKept: await keepSetup(setup.git, setup.workspace, key) };
}
