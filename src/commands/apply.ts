import type { Deps, RepoContext } from "../deps.ts";
import type { CommandEffect, GivenCommand } from "../domain/given-command.ts";
import type { RunId } from "../domain/ids.ts";
import { publishAnswer } from "../report/publish-comment.ts";
import { answerView } from "../report/render-answer.ts";
import { unlessRefused } from "../report/unless-refused.ts";
import { assertNever } from "../shared/assert-never.ts";

/** Sees to everything that is due for a command on record. Each step may be repeated, so a death in between costs nothing. */
export async function finish(
  command: GivenCommand,
  context: RepoContext,
  deps: Deps,
): Promise<void> {
  const { repo } = context;
  for (const effect of command.effects) await act(effect, context, deps);
  await answer(command, context, deps);
  await deps.store.record(repo, [
    { kind: "command-done", command: command.id, at: deps.clock.now() },
  ]);
}

async function act(effect: CommandEffect, context: RepoContext, deps: Deps): Promise<void> {
  switch (effect.kind) {
    case "cancel-run":
      // A run that an earlier life began cannot be stopped before it is taken up.
      await deps.background.resumeRuns(context);
      deps.background.cancelRun(effect.run, effect.reason);
      // Another server may be the one that works on it: it finds the command on record.
      if (!isHere(effect.run, deps)) deps.wakeOthers(context.repo);
      return;
    case "set-labels":
      await unlessRefused({ repo: context.repo, what: "labels" }, deps, () =>
        deps.github.setLabels(context.repo, effect.issue, effect),
      );
      return;
    default:
      assertNever(effect);
  }
}

function isHere(run: RunId, { background }: Deps): boolean {
  return background.running().some(({ id }) => id === run);
}

async function answer(command: GivenCommand, context: RepoContext, deps: Deps): Promise<void> {
  const { comment, verdict } = command;
  const { repo } = context;
  if (comment === undefined) return;
  if (!(await isTask(command, deps))) await answerWithoutTask(command, deps);
  await unlessRefused({ repo, what: "reaction" }, deps, () =>
    deps.github.react(repo, comment, verdict === "done" ? "+1" : "confused"),
  );
}

/** Of a task the report tells, with everything else that is to be said of it. */
async function isTask({ repo, issue }: GivenCommand, deps: Deps): Promise<boolean> {
  const { tasks } = await deps.store.readRepo(repo);
  return tasks.some((task) => task.issue === issue);
}

async function answerWithoutTask(command: GivenCommand, deps: Deps): Promise<void> {
  const { repo, issue } = command;
  const answer = answerView([command]);
  if (issue !== undefined && answer !== undefined)
    await publishAnswer(repo, { issue, answer }, deps);
}
