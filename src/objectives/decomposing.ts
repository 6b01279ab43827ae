import type { Deps } from "../deps.ts";
import type { Change, Intent } from "../domain/change.ts";
import type { RunOutcome } from "../domain/run.ts";
import type { Workspace } from "../ports/git.ts";
import type { Job, JobResult, RunInProgress } from "../runner/run-in-progress.ts";
import { MAX_PROPOSAL_BYTES, PROPOSAL_PATH } from "./proposal.ts";
import { renderObjectivePrompt } from "./prompt.ts";
import { readProposal } from "./read-proposal.ts";

/** The first try and one that is told what was wrong with it. */
const ATTEMPTS = 2;

/** The run that breaks an objective into tasks: all that is taken from its workspace is one file. */
export const DECOMPOSING: Job = {
  attempts: ATTEMPTS,
  prompt: (view, { context }) => renderObjectivePrompt({ ...view, config: context.config }),
  collect: async ({ workspace }, progress, deps) => {
    const text = await proposalText(workspace, deps);
    if (text === undefined) return refused([`${PROPOSAL_PATH} was not written`]);
    const { task, context } = progress;
    const { repo, config } = context;
    const read = readProposal(text, { repo, issue: task.issue, config });
    if (!read.ok) return refused(read.error);
    return accepted({ proposal: JSON.stringify(read.value), workspace }, progress, deps);
  },
};

/** A file that the repository had before is no proposal. */
async function proposalText(workspace: Workspace, deps: Deps): Promise<string | undefined> {
  const folder = PROPOSAL_PATH.slice(0, PROPOSAL_PATH.lastIndexOf("/"));
  const before = await deps.git.directoriesOf(workspace.repo, workspace.base);
  if (before.has(folder)) {
    const { paths } = await deps.git.diffWorkspace(workspace);
    if (!paths.includes(PROPOSAL_PATH)) return undefined;
  }
  return deps.files.read(workspace.path, PROPOSAL_PATH, MAX_PROPOSAL_BYTES);
}

function refused(problems: readonly string[]): JobResult {
  return { outcome: { kind: "verify-failed", tail: problems.join("\n") } };
}

/** The proposal is on record before the first issue is opened, with the end of the run that made it. */
function accepted(
  { proposal, workspace }: { readonly proposal: string; readonly workspace: Workspace },
  { task, context }: RunInProgress,
  { clock }: Deps,
): JobResult {
  const at = clock.now();
  const { repo } = context;
  const intent: Intent = {
    ...{ key: `decompose:${repo}#${task.issue}`, repo, kind: "decompose", subject: task.id },
    ...{ detail: { issue: task.issue, proposal }, openedAt: at },
  };
  const moved = { kind: "task-moved", task: task.id, at, set: {} } as const;
  const reason = "its tasks are proposed";
  const changes: readonly Change[] = [
    { ...moved, from: "running", to: "review", reason },
    { ...moved, from: "review", to: "landed", reason },
    { kind: "intent-opened", intent },
  ];
  const kept = { files: [], outside: [], notes: reason };
  const outcome: RunOutcome = { kind: "succeeded", head: workspace.base, ...kept };
  return { outcome, changes };
}
