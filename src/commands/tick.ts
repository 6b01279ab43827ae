import type { GivenCommand, CommandEffect } from "../domain/given-command.ts";
import { taskIdOf } from "../domain/ids.ts";
import type { Instant, RepoName, RunId } from "../domain/ids.ts";
import type { Signal } from "../domain/signal.ts";
import type { Deps, RepoContext } from "../ports/deps.ts";
import type { StoredRepo } from "../ports/store.ts";
import { publishAnswer } from "../report/publish/publish-comment.ts";
import { unlessRefused } from "../report/publish/unless-refused.ts";
import { answerView } from "../report/render/render-answer.ts";
import { AppError } from "../shared/app-error.ts";
import { assertNever } from "../shared/assert-never.ts";
import { decideCommand } from "./decide-command.ts";
import type { CommandDecision } from "./decision.ts";
import type { CommandsDeps } from "./deps.ts";
import type { Command } from "./parse-command.ts";
import { commandId, readCommand } from "./read-command.ts";
import type { IncomingCommand } from "./read-command.ts";
import { readSnapshot } from "./read-snapshot.ts";
import type { SeenByCommands } from "./read-snapshot.ts";

export interface CommandNews {
  readonly signals: readonly Signal[];
  readonly seen: SeenByCommands;
  readonly stored: StoredRepo;
}

/** Takes each new command once, then does what is due. It returns true when the issues on GitHub are no longer what was read. */
export async function tick(
  context: RepoContext,
  news: CommandNews,
  deps: CommandsDeps,
): Promise<boolean> {
  for (const signal of news.signals) await take(signal, { ...news, context }, deps);
  const due = await deps.store.pendingCommands(context.repo);
  for (const command of due) await finish(command, { ...news, context }, deps);
  return due.some(({ effects }) => effects.some(({ kind }) => kind === "set-labels"));
}

interface Situation extends CommandNews {
  readonly context: RepoContext;
}

/** The command goes on record in the batch that carries it out: a process that finds it there has nothing left to decide. */
async function take(
  signal: Signal,
  { context, seen, stored }: Situation,
  deps: CommandsDeps,
): Promise<void> {
  const { repo } = context;
  const id = commandId(signal);
  if (id === undefined || (await deps.store.command(id)) !== undefined) return;
  const memory = await stored.read();
  const incoming = await readCommand(signal, { repo, memory }, deps);
  if (incoming === undefined) return;
  const decision = decideCommand(await readSnapshot(incoming, { context, seen, memory }, deps));
  const command = onRecord(incoming, decision, { repo, at: deps.clock.now() });
  await record(command, decision, deps);
  stored.changed();
}

/** Another process may have taken it meanwhile; the next tick decides anew on any other conflict. */
async function record(
  command: GivenCommand,
  { changes }: CommandDecision,
  deps: Pick<Deps, "log" | "store">,
): Promise<void> {
  const { id, repo, issue, givenBy, said, result } = command;
  try {
    await deps.store.record(repo, [{ kind: "command-given", command }, ...changes]);
  } catch (error) {
    const taken = error instanceof AppError && error.code === "store-conflict";
    if (!taken || (await deps.store.command(id)) === undefined) throw error;
    return;
  }
  deps.log.info({ repo, issue, by: givenBy, command: said, result }, "command taken");
}

function onRecord(
  { id, command, by, issue, comment }: IncomingCommand,
  { result, answer, effects }: CommandDecision,
  { repo, at }: { readonly repo: RepoName; readonly at: Instant },
): GivenCommand {
  return {
    id,
    repo,
    issue,
    givenBy: by,
    said: command.kind,
    detail: detailOf(command),
    result,
    answer,
    effects,
    comment,
    at,
    doneAt: undefined,
  };
}

function detailOf(command: Command): string {
  if (command.kind === "pause") return command.reason;
  return command.kind === "priority" ? command.level : "";
}

/** Does everything that is due for a command on record. Each step may be repeated, so a death in between costs nothing. */
async function finish(
  command: GivenCommand,
  { context, seen, stored }: Situation,
  deps: CommandsDeps,
): Promise<void> {
  const { repo } = context;
  for (const effect of command.effects) await act(effect, context, deps);
  const isReported = await isReportedOn(command, { context, seen, stored });
  if (isReported === "unknown") {
    deps.wake(repo, "we-changed");
    return;
  }
  await answer(command, isReported, deps);
  await deps.store.record(repo, [
    { kind: "command-done", command: command.id, at: deps.clock.now() },
  ]);
}

async function act(
  effect: CommandEffect,
  context: RepoContext,
  deps: Pick<Deps, "background" | "github" | "log" | "wakeOthers">,
): Promise<void> {
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

function isHere(run: RunId, { background }: Pick<Deps, "background">): boolean {
  return background.running().some(({ id }) => id === run);
}

async function answer(
  command: GivenCommand,
  isReported: boolean,
  deps: Pick<Deps, "github" | "log" | "lostStore" | "store">,
): Promise<void> {
  const { repo, comment, result } = command;
  if (comment === undefined) return;
  if (!isReported) await answerWithoutTask(command, deps);
  await unlessRefused({ repo, what: "reaction" }, deps, () =>
    deps.github.react(repo, comment, result === "done" ? "+1" : "confused"),
  );
}

/**
 * The report of a task or an objective gives the answer, with everything else that is to be said of it. An objective that people broke
 * into tasks themselves has no task: until objectives were looked for, nobody knows whether the issue is one.
 */
async function isReportedOn(
  { repo, issue, comment }: GivenCommand,
  { context, seen, stored }: Pick<Situation, "context" | "seen" | "stored">,
): Promise<boolean | "unknown"> {
  const { tasks } = await stored.read();
  if (issue === undefined || tasks.some((task) => task.issue === issue)) return true;
  const { objectives } = seen;
  if (objectives === undefined || !context.config.objectives.enabled) return false;
  if (objectives.found === undefined) return comment === undefined ? false : "unknown";
  const found = objectives.found.find(({ card }) => card.issue.number === issue);
  const isTrusted = !objectives.untrusted.has(taskIdOf(repo, issue));
  return isTrusted && found !== undefined && found.subIssues.length > 0;
}

async function answerWithoutTask(
  command: GivenCommand,
  deps: Pick<Deps, "github" | "log" | "lostStore" | "store">,
): Promise<void> {
  const { repo, issue } = command;
  const answer = answerView([command]);
  if (issue !== undefined && answer !== undefined)
    await publishAnswer(repo, { issue, answer }, deps);
}
